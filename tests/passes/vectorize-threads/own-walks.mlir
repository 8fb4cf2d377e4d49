// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

// Each thread walks along a row of its own, in a loop that LLVM's vectorisers do several iterations of at once: it goes alone, also when LLVM
// has written a loop of more than eight iterations out. Not so
// where they cannot: sums of floats, whose order matters, columns, divisions of integers, fewer than four iterations; nor where lanes gather nothing.
module attributes {unwarp.register_bytes = 32 : i64} {
// CHECK-LABEL: func.func @scaled
// CHECK-NOT: vector<
// CHECK-NOT: one_by_one
// CHECK-LABEL: func.func @sums
// CHECK-NOT: vector<
// CHECK-LABEL: func.func @floats
// CHECK: vector<
// CHECK-LABEL: func.func @columns
// CHECK: vector<
// CHECK-LABEL: func.func @same_row
// CHECK: vector<
// CHECK-LABEL: func.func @three
// CHECK: vector<
func.func @scaled(%n: index, %m: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    %first = arith.muli %t, %m : index
    scf.for %j = %c0 to %m step %c1 {
      %e = arith.addi %first, %j : index
      %i = arith.index_cast %e : index to i64
      %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %a : !llvm.ptr -> f32
      %y = arith.mulf %x, %x : f32
      %b = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %y, %b : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @sums(%n: index, %m: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    %first = arith.muli %t, %m : index
    %zero = arith.constant 0 : i32
    %sum = scf.for %j = %c0 to %m step %c1 iter_args(%so_far = %zero) -> (i32) {
      %e = arith.addi %first, %j : index
      %i = arith.index_cast %e : index to i64
      %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %x = llvm.load %a : !llvm.ptr -> i32
      %next = arith.addi %so_far, %x : i32
      scf.yield %next : i32
    }
    %k = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %sum, %to : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @floats(%n: index, %m: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    %first = arith.muli %t, %m : index
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %j = %c0 to %m step %c1 iter_args(%so_far = %zero) -> (f32) {
      %e = arith.addi %first, %j : index
      %i = arith.index_cast %e : index to i64
      %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %a : !llvm.ptr -> f32
      %y = arith.mulf %x, %x : f32
      %z = arith.mulf %y, %x : f32
      %v = arith.addf %z, %y : f32
      %w = arith.mulf %v, %z : f32
      %next = arith.addf %so_far, %w : f32
      scf.yield %next : f32
    }
    %k = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @columns(%n: index, %m: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    %zero = arith.constant 0 : i32
    %sum = scf.for %j = %c0 to %m step %c1 iter_args(%so_far = %zero) -> (i32) {
      %first = arith.muli %j, %n : index
      %e = arith.addi %first, %t : index
      %i = arith.index_cast %e : index to i64
      %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %x = llvm.load %a : !llvm.ptr -> i32
      %next = arith.addi %so_far, %x : i32
      scf.yield %next : i32
    }
    %k = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %sum, %to : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @same_row(%n: index, %m: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    %zero = arith.constant 0 : i32
    %sum = scf.for %j = %c0 to %m step %c1 iter_args(%so_far = %zero) -> (i32) {
      %i = arith.index_cast %j : index to i64
      %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %l = llvm.load %a : !llvm.ptr -> i32
      %k32 = arith.index_cast %t : index to i32
      %x = arith.muli %l, %k32 : i32
      %next = arith.addi %so_far, %x : i32
      scf.yield %next : i32
    }
    %k = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %sum, %to : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @three(%n: index, %m: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    %c3 = arith.constant 3 : index
    %first = arith.muli %t, %c3 : index
    %zero = arith.constant 0 : i32
    %sum = scf.for %j = %c0 to %c3 step %c1 iter_args(%so_far = %zero) -> (i32) {
      %e = arith.addi %first, %j : index
      %i = arith.index_cast %e : index to i64
      %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %x = llvm.load %a : !llvm.ptr -> i32
      %y = arith.muli %x, %x : i32
      %z = arith.addi %y, %x : i32
      %v = arith.muli %z, %y : i32
      %w = arith.xori %v, %z : i32
      %u = arith.muli %w, %w : i32
      %next = arith.addi %so_far, %u : i32
      scf.yield %next : i32
    }
    %k = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %sum, %to : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
// CHECK-LABEL: func.func @sums_of_64
// CHECK-NOT: vector<
// CHECK: unwarp.one_by_one
func.func @sums_of_64(%n: index, %m: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    %many = arith.constant 64 : index
    %first = arith.muli %t, %many : index
    %zero = arith.constant 0 : i32
    %sum = scf.for %j = %c0 to %many step %c1 iter_args(%so_far = %zero) -> (i32) {
      %e = arith.addi %first, %j : index
      %i = arith.index_cast %e : index to i64
      %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %x = llvm.load %a : !llvm.ptr -> i32
      %next = arith.addi %so_far, %x : i32
      scf.yield %next : i32
    }
    %k = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %sum, %to : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
// CHECK-LABEL: func.func @sums_of_8
// CHECK-NOT: one_by_one
// CHECK: return
func.func @sums_of_8(%n: index, %m: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    %many = arith.constant 8 : index
    %first = arith.muli %t, %many : index
    %zero = arith.constant 0 : i32
    %sum = scf.for %j = %c0 to %many step %c1 iter_args(%so_far = %zero) -> (i32) {
      %e = arith.addi %first, %j : index
      %i = arith.index_cast %e : index to i64
      %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %x = llvm.load %a : !llvm.ptr -> i32
      %next = arith.addi %so_far, %x : i32
      scf.yield %next : i32
    }
    %k = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %sum, %to : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
