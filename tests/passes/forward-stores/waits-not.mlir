// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads that do not wait until their value is used, after a barrier.
// RUN: %unwarp_opt --forward-stores %s | FileCheck %s

// The thread overwrites what it loaded.
// CHECK-LABEL: @written_by_itself(
// CHECK:       llvm.load
// CHECK:       unwarp.barrier
// CHECK:       arith.addf
func.func @written_by_itself(%q: !llvm.ptr, %x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %mine = llvm.getelementptr %q[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %y = llvm.load %mine {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %mine {unwarp.restrict = 1 : i64} : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %z = arith.addf %y, %x : f32
    llvm.store %z, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The neighbour overwrites it, after the use, but after the same barrier.
// CHECK-LABEL: @written_after_the_use(
// CHECK:       llvm.load
// CHECK:       unwarp.barrier
// CHECK:       arith.addf
func.func @written_after_the_use(%q: !llvm.ptr, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %mine = llvm.getelementptr %q[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %after = llvm.getelementptr %mine[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %y = llvm.load %after {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    "unwarp.barrier"() {level = "block"} : () -> ()
    %z = arith.addf %y, %x : f32
    llvm.store %z, %mine {unwarp.restrict = 1 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Another block may wait for the flag, and write then.
// CHECK-LABEL: @compare_and_swap(
// CHECK:       llvm.load
// CHECK:       llvm.cmpxchg
func.func @compare_and_swap(%q: !llvm.ptr, %done: !llvm.ptr, %x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.forall (%t) in (%c32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ti = arith.index_castui %t : index to i64
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %q[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %y = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    "unwarp.barrier"() {level = "block"} : () -> ()
    %swapped = llvm.cmpxchg %done, %zero, %one monotonic monotonic {unwarp.restrict = 2 : i64} : !llvm.ptr, i32
    %z = arith.addf %y, %x : f32
    llvm.store %z, %to {unwarp.restrict = 3 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// What is the same for all threads costs nothing to keep.
// CHECK-LABEL: @same_for_all(
// CHECK:       llvm.load
// CHECK:       unwarp.barrier
// CHECK:       arith.addf
func.func @same_for_all(%q: !llvm.ptr, %x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %y = llvm.load %q {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    "unwarp.barrier"() {level = "block"} : () -> ()
    %z = arith.addf %y, %x : f32
    llvm.store %z, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// There is no barrier in between.
// CHECK-LABEL: @no_barrier(
// CHECK:       llvm.load
// CHECK:       arith.mulf
func.func @no_barrier(%q: !llvm.ptr, %x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %q[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %y = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    %twice = arith.mulf %x, %x : f32
    %z = arith.addf %y, %twice : f32
    llvm.store %z, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}

// All threads have loaded when the first one tells another block that it may write there.
// CHECK-LABEL: func.func @told_by_another
// CHECK: %[[Y:.*]] = llvm.load
// CHECK-NEXT: "unwarp.barrier"
// CHECK: arith.addf %[[Y]],
func.func @told_by_another(%q: !llvm.ptr, %done: !llvm.ptr, %x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.forall (%t) in (%c32) {
    %one = arith.constant 1 : i32
    %ti = arith.index_castui %t : index to i64
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %q[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %y = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    "unwarp.barrier"() {level = "block"} : () -> ()
    %z = arith.addf %y, %x : f32
    llvm.store %z, %to {unwarp.restrict = 3 : i64} : f32, !llvm.ptr
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      %old = llvm.atomicrmw add %done, %one acq_rel {unwarp.restrict = 2 : i64} : !llvm.ptr, i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
