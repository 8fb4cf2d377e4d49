// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locations that a loop touches under conditions, several times, or in loops inside of it.
// RUN: %unwarp_opt --scalar-replace{scope=lanes} %s | FileCheck %s
// RUN: %unwarp_opt --scalar-replace{scope=lanes} --scalar-replace{scope=lanes} %s | FileCheck %s

// The load is made in every iteration, the store is not: a thread that makes none stores nothing after the loop either. Integers too.
// CHECK-LABEL: @largest(
// CHECK:       %[[NO:.*]] = arith.constant false
// CHECK:       %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[BEST:.*]] = %{{.*}}, %[[STORED:.*]] = %[[NO]]) -> (i32, i1)
// CHECK-NOT:     llvm.store
// CHECK:         scf.if {{.*}} -> (i32, i1) {
// CHECK:           scf.yield %{{.*}}, %true
// CHECK:         } else {
// CHECK:           scf.yield %[[BEST]], %[[STORED]]
// CHECK:       scf.if %[[R]]#1 {
// CHECK-NEXT:    llvm.store %[[R]]#0
// CHECK:       } else {
// CHECK:         scf.for %
// CHECK:           llvm.store
func.func @largest(%n: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%c1) {
    scf.for %k = %c0 to %n step %c1 {
      %k64 = arith.index_castui %k : index to i64
      %q = llvm.getelementptr %in[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %x = llvm.load %q : !llvm.ptr -> i32
      %best = llvm.load %out : !llvm.ptr -> i32
      %more = arith.cmpi sgt, %x, %best : i32
      scf.if %more {
        llvm.store %x, %out : i32, !llvm.ptr
      }
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// All is under the condition, but the thread has set the location before: it is its own until the next barrier. Two more additions after.
// CHECK-LABEL: @chosen(
// CHECK:       llvm.store
// CHECK:       %[[R:.*]] = scf.for {{.*}} iter_args(%{{.*}}) -> (f32)
// CHECK-NOT:     llvm.store
// CHECK:         scf.if {{.*}} -> (f32) {
// CHECK:         } else {
// CHECK:       llvm.store %[[R]]
// CHECK:       } else {
func.func @chosen(%n: index, %c: i1, %out: !llvm.ptr, %y: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (%c1) {
    llvm.store %zero, %out : f32, !llvm.ptr
    scf.for %k = %c0 to %n step %c1 {
      scf.if %c {
        %x = llvm.load %out : !llvm.ptr -> f32
        %sum = arith.addf %x, %y : f32
        llvm.store %sum, %out : f32, !llvm.ptr
        %x2 = llvm.load %out : !llvm.ptr -> f32
        %sum2 = arith.mulf %x2, %y : f32
        llvm.store %sum2, %out : f32, !llvm.ptr
      }
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// Through a loop inside, with what that carries itself.
// CHECK-LABEL: @nested(
// CHECK:       scf.for {{.*}} iter_args(%[[A:.*]] = {{.*}}) -> (f32)
// CHECK:         %[[IN:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[A]]) -> (f32, f32)
// CHECK-NOT:       llvm.
// CHECK:         %[[SUM:.*]] = arith.addf %[[IN]]#1, %[[IN]]#0
// CHECK-NEXT:    scf.yield %[[SUM]]
// CHECK:       llvm.store
func.func @nested(%n: index, %out: !llvm.ptr, %y: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%c1) {
    scf.for %k = %c0 to %n step %c1 {
      %last = scf.for %j = %c0 to %n step %c1 iter_args(%c = %y) -> f32 {
        %x = llvm.load %out : !llvm.ptr -> f32
        %sum = arith.addf %x, %c : f32
        llvm.store %sum, %out : f32, !llvm.ptr
        scf.yield %sum : f32
      }
      %x = llvm.load %out : !llvm.ptr -> f32
      %sum = arith.addf %x, %last : f32
      llvm.store %sum, %out : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// Nothing says that the thread may touch the location at all; and a while does not carry it.
// CHECK-LABEL: @refused(
// CHECK-NOT:   llvm.load
// CHECK:       scf.for %
// CHECK-NOT:   iter_args
// CHECK:       scf.while
// CHECK:       llvm.load
// CHECK-NOT:   scf.for %
func.func @refused(%n: index, %c: i1, %out: !llvm.ptr, %y: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%c1) {
    scf.for %k = %c0 to %n step %c1 {
      scf.if %c {
        %x = llvm.load %out : !llvm.ptr -> f32
        %sum = arith.addf %x, %y : f32
        llvm.store %sum, %out : f32, !llvm.ptr
      }
    }
    llvm.store %y, %out : f32, !llvm.ptr
    scf.for %k = %c0 to %n step %c1 {
      scf.while : () -> () {
        %x = llvm.load %out : !llvm.ptr -> f32
        %go = arith.cmpf olt, %x, %y : f32
        scf.condition(%go)
      } do {
        llvm.store %y, %out : f32, !llvm.ptr
        scf.yield
      }
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
