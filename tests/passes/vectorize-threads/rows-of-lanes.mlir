// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s
// RUN: %unwarp_opt --vectorize-threads %s > %t && %unwarp_opt --vectorize-threads %t | FileCheck %s

// Memory follows 32 rows at once: of threads with a row each 32 go together, of threads with two 16.
module attributes {unwarp.register_bytes = 64 : i64} {
// CHECK-LABEL: func.func @one_row
// CHECK: scf.for {{.*}} -> (vector<32xf32>)
// CHECK-NOT: vector<64
func.func @one_row(%n: index, %a: !llvm.ptr, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %length = arith.index_cast %n : index to i64
  scf.forall (%t) in (%c128) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.muli %ti, %length : i64
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
      %ki = arith.index_cast %k : index to i64
      %place = arith.addi %start, %ki : i64
      %at = llvm.getelementptr %a[%place] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %at : !llvm.ptr -> f32
      %next = arith.addf %s, %v : f32
      scf.yield %next : f32
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @two_rows
// CHECK: scf.for {{.*}} -> (vector<16xf32>)
// CHECK-NOT: vector<{{32|64}}
func.func @two_rows(%n: index, %a: !llvm.ptr, %b: !llvm.ptr, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %length = arith.index_cast %n : index to i64
  scf.forall (%t) in (%c128) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.muli %ti, %length : i64
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
      %ki = arith.index_cast %k : index to i64
      %place = arith.addi %start, %ki : i64
      %of_a = llvm.getelementptr %a[%place] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %of_b = llvm.getelementptr %b[%place] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %of_a : !llvm.ptr -> f32
      %w = llvm.load %of_b : !llvm.ptr -> f32
      %both = arith.mulf %v, %w : f32
      %more = arith.addf %both, %v : f32
      %all = arith.mulf %more, %w : f32
      %other = arith.addf %all, %both : f32
      %next = arith.addf %s, %other : f32
      scf.yield %next : f32
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Threads that also read a column each, side by side in memory: 64, so that more of a line is read at a time.
// CHECK-LABEL: func.func @row_and_column
// CHECK: scf.for {{.*}} -> (vector<64xf32>)
func.func @row_and_column(%n: index, %a: !llvm.ptr, %b: !llvm.ptr, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %length = arith.index_cast %n : index to i64
  scf.forall (%t) in (%c128) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.muli %ti, %length : i64
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
      %ki = arith.index_cast %k : index to i64
      %place = arith.addi %start, %ki : i64
      %of_a = llvm.getelementptr %a[%place] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %below = arith.muli %ki, %length : i64
      %column = arith.addi %below, %ti : i64
      %of_b = llvm.getelementptr %b[%column] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %of_a : !llvm.ptr -> f32
      %w = llvm.load %of_b : !llvm.ptr -> f32
      %both = arith.mulf %v, %w : f32
      %more = arith.addf %both, %v : f32
      %all = arith.mulf %more, %w : f32
      %other = arith.addf %all, %both : f32
      %next = arith.addf %s, %other : f32
      scf.yield %next : f32
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// A loop that writes: its rows are not turned, and nothing changes.
// CHECK-LABEL: func.func @writes
// CHECK: scf.for {{.*}} -> (vector<64xf32>)
func.func @writes(%n: index, %a: !llvm.ptr, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %length = arith.index_cast %n : index to i64
  scf.forall (%t) in (%c128) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.muli %ti, %length : i64
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
      %ki = arith.index_cast %k : index to i64
      %place = arith.addi %start, %ki : i64
      %at = llvm.getelementptr %a[%place] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %at : !llvm.ptr -> f32
      %e = math.sqrt %v : f32
      %f = arith.mulf %e, %e : f32
      %g = arith.mulf %f, %v : f32
      %h = arith.addf %g, %f : f32
      %x = arith.mulf %h, %g : f32
      %y = arith.addf %x, %h : f32
      llvm.store %zero, %a : f32, !llvm.ptr
      %next = arith.addf %s, %y : f32
      scf.yield %next : f32
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
