// RUN: %unwarp_opt --unroll-and-jam %s | FileCheck %s

// Bounds and conditions that differ from row to row, sums that are no vectors, atomic operations, rows that do not start at 0, loops of
// one dimension, and more to carry than there are registers, keep the rows apart.
// CHECK-NOT: unwarp.jammed
module attributes {unwarp.register_bytes = 64 : i64} {

func.func @bound(%b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %number = arith.constant 1 : i32
  %half = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %large = arith.constant dense<0.0> : vector<512xf32>
  scf.forall (%z, %y, %p) in (%c1, %n, %c1) {
    %yi = arith.index_cast %y : index to i64
    %cp = llvm.getelementptr %c[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, vector<16xf32>
    %sum = scf.for %k = %c0 to %y step %c1 iter_args(%s = %zero) -> (vector<16xf32>) {
      %ki = arith.index_cast %k : index to i64
      %bp = llvm.getelementptr %b[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, vector<16xf32>
      %v = llvm.load %bp : !llvm.ptr -> vector<16xf32>
      %w = llvm.load %cp : !llvm.ptr -> vector<16xf32>
      %m = arith.mulf %w, %v : vector<16xf32>
      %t = arith.addf %s, %m : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    llvm.store %sum, %cp : vector<16xf32>, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @condition(%b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %number = arith.constant 1 : i32
  %half = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %large = arith.constant dense<0.0> : vector<512xf32>
  scf.forall (%z, %y, %p) in (%c1, %n, %c1) {
    %yi = arith.index_cast %y : index to i64
    %cp = llvm.getelementptr %c[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, vector<16xf32>
    %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %zero) -> (vector<16xf32>) {
      %ki = arith.index_cast %k : index to i64
      %bp = llvm.getelementptr %b[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, vector<16xf32>
      %v = llvm.load %bp : !llvm.ptr -> vector<16xf32>
      %w = llvm.load %cp : !llvm.ptr -> vector<16xf32>
      %m = arith.mulf %w, %v : vector<16xf32>
      %t = arith.addf %s, %m : vector<16xf32>
      %even = arith.cmpi eq, %y, %k : index
      scf.if %even {
        llvm.store %t, %bp : vector<16xf32>, !llvm.ptr
      }
      scf.yield %t : vector<16xf32>
    }
    llvm.store %sum, %cp : vector<16xf32>, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @scalar(%b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %number = arith.constant 1 : i32
  %half = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %large = arith.constant dense<0.0> : vector<512xf32>
  scf.forall (%z, %y, %p) in (%c1, %n, %c1) {
    %yi = arith.index_cast %y : index to i64
    %cp = llvm.getelementptr %c[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %half) -> (f32) {
      %ki = arith.index_cast %k : index to i64
      %bp = llvm.getelementptr %b[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %bp : !llvm.ptr -> f32
      %w = llvm.load %cp : !llvm.ptr -> f32
      %m = arith.mulf %w, %v : f32
      %t = arith.addf %s, %m : f32
      scf.yield %t : f32
    }
    llvm.store %sum, %cp : f32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @atomic(%b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %number = arith.constant 1 : i32
  %half = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %large = arith.constant dense<0.0> : vector<512xf32>
  scf.forall (%z, %y, %p) in (%c1, %n, %c1) {
    %yi = arith.index_cast %y : index to i64
    %cp = llvm.getelementptr %c[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, vector<16xf32>
    %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %zero) -> (vector<16xf32>) {
      %ki = arith.index_cast %k : index to i64
      %bp = llvm.getelementptr %b[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, vector<16xf32>
      %v = llvm.load %bp : !llvm.ptr -> vector<16xf32>
      %w = llvm.load %cp : !llvm.ptr -> vector<16xf32>
      %m = arith.mulf %w, %v : vector<16xf32>
      %t = arith.addf %s, %m : vector<16xf32>
      %old = llvm.atomicrmw add %c, %number monotonic : !llvm.ptr, i32
      scf.yield %t : vector<16xf32>
    }
    llvm.store %sum, %cp : vector<16xf32>, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @later(%b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %number = arith.constant 1 : i32
  %half = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %large = arith.constant dense<0.0> : vector<512xf32>
  scf.forall (%z, %y, %p) = (0, %c1, 0) to (%c1, %n, %c1) step (1, 1, 1) {
    %yi = arith.index_cast %y : index to i64
    %cp = llvm.getelementptr %c[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, vector<16xf32>
    %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %zero) -> (vector<16xf32>) {
      %ki = arith.index_cast %k : index to i64
      %bp = llvm.getelementptr %b[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, vector<16xf32>
      %v = llvm.load %bp : !llvm.ptr -> vector<16xf32>
      %w = llvm.load %cp : !llvm.ptr -> vector<16xf32>
      %m = arith.mulf %w, %v : vector<16xf32>
      %t = arith.addf %s, %m : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    llvm.store %sum, %cp : vector<16xf32>, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @one_dimension(%b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %number = arith.constant 1 : i32
  %half = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %large = arith.constant dense<0.0> : vector<512xf32>
  scf.forall (%y) in (%n) {
    %yi = arith.index_cast %y : index to i64
    %cp = llvm.getelementptr %c[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, vector<16xf32>
    %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %zero) -> (vector<16xf32>) {
      %ki = arith.index_cast %k : index to i64
      %bp = llvm.getelementptr %b[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, vector<16xf32>
      %v = llvm.load %bp : !llvm.ptr -> vector<16xf32>
      %w = llvm.load %cp : !llvm.ptr -> vector<16xf32>
      %m = arith.mulf %w, %v : vector<16xf32>
      %t = arith.addf %s, %m : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    llvm.store %sum, %cp : vector<16xf32>, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @large(%b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %number = arith.constant 1 : i32
  %half = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %large = arith.constant dense<0.0> : vector<512xf32>
  scf.forall (%z, %y, %p) in (%c1, %n, %c1) {
    %yi = arith.index_cast %y : index to i64
    %cp = llvm.getelementptr %c[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, vector<512xf32>
    %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %large) -> (vector<512xf32>) {
      %ki = arith.index_cast %k : index to i64
      %bp = llvm.getelementptr %b[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, vector<512xf32>
      %v = llvm.load %bp : !llvm.ptr -> vector<512xf32>
      %w = llvm.load %cp : !llvm.ptr -> vector<512xf32>
      %m = arith.mulf %w, %v : vector<512xf32>
      %t = arith.addf %s, %m : vector<512xf32>
      scf.yield %t : vector<512xf32>
    }
    llvm.store %sum, %cp : vector<512xf32>, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

}
