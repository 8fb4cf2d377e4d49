// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s
// RUN: %unwarp_opt --vectorize-threads --vectorize-threads %s | FileCheck %s
// RUN: sed -e '1i module attributes {unwarp.fallback} {' -e '$a }' %s > %t.mlir && %unwarp_opt --vectorize-threads %t.mlir | FileCheck --check-prefix=FEW %s

// In a module for processors that hardly anybody has, threads stay one by one.
// FEW: unwarp.fallback
// FEW-NOT: vector<

// A compute loop of all threads is made by 16 threads at a time: what differs among them is a vector, what does not stays scalar.
// Threads over a multiple of 16 stay as they were. Twice is once.

// CHECK-LABEL: func.func @compute
// CHECK: scf.forall
// CHECK: %[[MINE:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK: scf.for {{.*}} -> (vector<16xf32>)
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: arith.mulf %{{.*}}, %[[MINE]] : vector<16xf32>
// CHECK: llvm.store %{{.*}} : vector<16xf32>, !llvm.ptr
// CHECK: mapping = [#gpu.thread<
// CHECK: scf.forall
// CHECK: scf.for {{.*}} -> (f32)
// CHECK-NOT: scf.forall
// CHECK-NOT: unwarp.barrier
// CHECK: return
func.func @compute(%threads: index, %n: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %mine : !llvm.ptr -> f32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
      %ki = arith.index_cast %k : index to i64
      %other = llvm.getelementptr %q[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %other : !llvm.ptr -> f32
      %a = arith.mulf %y, %x : f32
      %next = arith.addf %s, %a : f32
      scf.yield %next : f32
    }
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// A block of 64 leaves no rest.
// CHECK-LABEL: func.func @whole
// CHECK-COUNT-1: scf.for %
// CHECK-NOT: scf.for %
// CHECK: return
func.func @whole(%n: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (%c64) {
    %ti = arith.index_cast %t : index to i64
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
      %ki = arith.index_cast %k : index to i64
      %other = llvm.getelementptr %q[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %other : !llvm.ptr -> f32
      %next = arith.addf %s, %y : f32
      scf.yield %next : f32
    }
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// What vectors cannot do (here an atomic addition) gets a loop over the lanes of its own.
// CHECK-LABEL: func.func @beside_an_atomic
// CHECK: scf.for {{.*}} -> (vector<16xf32>)
// CHECK: llvm.store %{{.*}} : vector<16xf32>, !llvm.ptr
// CHECK: scf.forall (%{{.*}}) {{(= .* to|in)}} (%c16
// CHECK: llvm.atomicrmw fadd
// CHECK: mapping = [#gpu.lane<x>]
func.func @beside_an_atomic(%n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.sitofp %ti : i64 to f32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) {
      %next = arith.mulf %s, %s : f32
      scf.yield %next : f32
    }
    %old = llvm.atomicrmw fadd %p, %sum monotonic : !llvm.ptr, f32
  } {mapping = [#gpu.thread<x>]}
  return
}

// So it does where the loop is a while.
// CHECK-LABEL: func.func @while_beside_an_atomic
// CHECK: scf.while {{.*}} : (vector<16xf32>
// CHECK: scf.forall (%{{.*}}) {{(= .* to|in)}} (%c16
// CHECK: llvm.atomicrmw fadd
func.func @while_beside_an_atomic(%limit: f32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.sitofp %ti : i64 to f32
    %end = scf.while (%s = %start) : (f32) -> f32 {
      %near = arith.cmpf olt, %s, %limit : f32
      scf.condition(%near) %s : f32
    } do {
    ^bb0(%s: f32):
      %a = arith.mulf %s, %s : f32
      %b = arith.addf %a, %s : f32
      %next = arith.mulf %b, %a : f32
      scf.yield %next : f32
    }
    %old = llvm.atomicrmw fadd %p, %end monotonic : !llvm.ptr, f32
  } {mapping = [#gpu.thread<x>]}
  return
}

// A row of an array of arrays is as good as an address of its own.
// CHECK-LABEL: func.func @rows
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK-NOT: gather
func.func @rows(%n: index, %p: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %x = arith.constant 0.5 : f32
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i64
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %ki = arith.index_cast %k : index to i64
      %at = llvm.getelementptr %p[%ki, %ti] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<16 x f32>
      %y = llvm.load %at : !llvm.ptr -> f32
      %a = arith.mulf %s, %y : f32
      %b = arith.addf %a, %x : f32
      scf.yield %b : f32
    }
    %mine = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
