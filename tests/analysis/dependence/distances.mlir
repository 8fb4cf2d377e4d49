// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At which distances accesses meet, along loops and threads.
// RUN: %unwarp_opt --print-analysis=dependence %s | FileCheck %s

// A recurrence over three iterations, in one thread.
// CHECK-LABEL: dependence in @recurrence
// CHECK: access 0: llvm.load
// CHECK: access 1: llvm.store
// CHECK: 0 and 1: meet at %{{.*}} -3, in different steps
// CHECK: 1 and 1: meet at %{{.*}} 0, in the same step
func.func @recurrence(%p: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i64
    %a = llvm.getelementptr %p[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %a : !llvm.ptr -> f32
    %b = llvm.getelementptr %a[3] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %v, %b : f32, !llvm.ptr
    scf.yield
  }
  return
}

// Further than the loop goes: never. Between the elements that a step of two leaves out: never, by the divisor.
// CHECK-LABEL: dependence in @never
// CHECK: 0 and 1: never
// CHECK: 0 and 2: never
// CHECK: 1 and 2: meet at %{{.*}} 49, in different steps
func.func @never(%p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c50 = arith.constant 50 : index
  %i2 = arith.constant 2 : i64
  scf.for %i = %c0 to %c50 step %c1 {
    %k = arith.index_cast %i : index to i64
    %k2 = arith.muli %k, %i2 : i64
    %a = llvm.getelementptr %p[%k2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %a : f32, !llvm.ptr
    %b = llvm.getelementptr %a[99] : (!llvm.ptr) -> !llvm.ptr, f32
    %w = llvm.load %b : !llvm.ptr -> f32
    %c = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %w, %c : f32, !llvm.ptr
    scf.yield
  }
  return
}

// Threads of a tile, and a loop on which nothing depends: the neighbour's, in whatever iteration.
// CHECK-LABEL: dependence in @tile
// CHECK: 0 and 0: may meet at %[[Y:.*]] 0, %[[X:.*]] 0, %[[K:.*]] any{{$}}
// CHECK: 0 and 1: may meet at %[[Y]] 0, %[[X]] -1, %[[K]] any, in different steps
func.func @tile(%n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %bytes = arith.constant 1088 : i64
  %i17 = arith.constant 17 : i64
  scf.forall (%b) in (%n) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%ty, %tx) in (%c16, %c16) {
      scf.for %k = %c0 to %n step %c1 {
        %y = arith.index_cast %ty : index to i64
        %x = arith.index_cast %tx : index to i64
        %row = arith.muli %y, %i17 : i64
        %at = arith.addi %row, %x : i64
        %a = llvm.getelementptr %s[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %a : f32, !llvm.ptr
        %c = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, f32
        %w = llvm.load %c : !llvm.ptr -> f32
        scf.yield
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Rows of a length that is known by name alone: no two threads have the same number.
// CHECK-LABEL: dependence in @rows
// CHECK: 0 and 0: may meet at %{{.*}} 0, %{{.*}} 0, in the same step
func.func @rows(%p: !llvm.ptr, %h: index, %w: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %width = arith.index_cast %w : index to i64
  scf.forall (%ty, %tx) in (%h, %w) {
    %y = arith.index_cast %ty : index to i64
    %x = arith.index_cast %tx : index to i64
    %row = arith.muli %y, %width : i64
    %at = arith.addi %row, %x overflow<nsw> : i64
    %a = llvm.getelementptr %p[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %a : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// The second one goes twice as fast. An access as wide as two elements meets its neighbours.
// CHECK-LABEL: dependence in @speeds
// CHECK: 0 and 0: meet at %{{.*}} 0, in the same step
// CHECK: 0 and 1: may meet at %{{.*}} -7 to 7{{$}}
// CHECK: 0 and 2: never
// CHECK: 3 and 3: may meet at %{{.*}} -1 to 1{{$}}
func.func @speeds(%p: !llvm.ptr, %q: !llvm.ptr {llvm.noalias}, %v: f32, %d: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %i2 = arith.constant 2 : i64
  scf.forall (%t) in (%c8) {
    %x = arith.index_cast %t : index to i64
    %far = arith.muli %x, %i2 : i64
    %a = llvm.getelementptr %p[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %a : f32, !llvm.ptr
    %b = llvm.getelementptr %p[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %w = llvm.load %b : !llvm.ptr -> f32
    %c = llvm.getelementptr %b[8] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %w, %c : f32, !llvm.ptr
    llvm.store %d, %a : f64, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
