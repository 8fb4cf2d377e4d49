// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A field that only some iterations touch, between fields that all do: it may be loaded before the loop, and is stored after it
// where an iteration did. An integer beside what is kept stays in a register too. A field at the end, and one a page away from what
// is touched, may lie where there is no memory; an integer alone is LLVM's.
// RUN: %unwarp_opt --scalar-replace{scope=lanes} %s | FileCheck %s
// RUN: %unwarp_opt --scalar-replace{scope=lanes} --scalar-replace{scope=lanes} %s | FileCheck %s

// CHECK-LABEL: @between(
// CHECK:       %[[R:.*]]:4 = scf.for {{.*}} -> (f32, i32, i1, i32)
// CHECK-NOT:     llvm.
// CHECK:         scf.if {{.*}} -> (i32, i1) {
// CHECK-NOT:     llvm.
// CHECK:       llvm.store %[[R]]#0
// CHECK:       scf.if %[[R]]#2 {
// CHECK-NEXT:    llvm.store %[[R]]#1
// CHECK:       llvm.store %[[R]]#3
// CHECK-LABEL: @at_the_end(
// CHECK:       scf.for {{.*}} -> (f32, i32)
// CHECK:         scf.if %{{[a-z0-9]*}} {
// CHECK-NEXT:      llvm.load
// CHECK:           llvm.store
// CHECK-LABEL: @far(
// CHECK:       scf.for {{.*}} -> (f32, i32)
// CHECK:         scf.if %{{[a-z0-9]*}} {
// CHECK-NEXT:      llvm.load
// CHECK:           llvm.store
// CHECK-LABEL: @alone(
// CHECK-NOT:   iter_args
// CHECK-LABEL: @last(
func.func @between(%n: index, %c: i1, %p: !llvm.ptr, %y: f32, %one: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %some = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i8
  %all = llvm.getelementptr %p[8] : (!llvm.ptr) -> !llvm.ptr, i8
  scf.forall (%t) in (%c1) {
    scf.for %k = %c0 to %n step %c1 {
      %s = llvm.load %p : !llvm.ptr -> f32
      %s2 = arith.addf %s, %y : f32
      llvm.store %s2, %p : f32, !llvm.ptr
      scf.if %c {
        %i = llvm.load %some : !llvm.ptr -> i32
        %i2 = arith.addi %i, %one : i32
        llvm.store %i2, %some : i32, !llvm.ptr
      }
      %j = llvm.load %all : !llvm.ptr -> i32
      %j2 = arith.addi %j, %one : i32
      llvm.store %j2, %all : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @at_the_end(%n: index, %c: i1, %p: !llvm.ptr, %y: f32, %one: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %some = llvm.getelementptr %p[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %all = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i8
  scf.forall (%t) in (%c1) {
    scf.for %k = %c0 to %n step %c1 {
      %s = llvm.load %p : !llvm.ptr -> f32
      %s2 = arith.addf %s, %y : f32
      llvm.store %s2, %p : f32, !llvm.ptr
      scf.if %c {
        %i = llvm.load %some : !llvm.ptr -> i32
        %i2 = arith.addi %i, %one : i32
        llvm.store %i2, %some : i32, !llvm.ptr
      }
      %j = llvm.load %all : !llvm.ptr -> i32
      %j2 = arith.addi %j, %one : i32
      llvm.store %j2, %all : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @far(%n: index, %c: i1, %p: !llvm.ptr, %y: f32, %one: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %some = llvm.getelementptr %p[4096] : (!llvm.ptr) -> !llvm.ptr, i8
  %all = llvm.getelementptr %p[8192] : (!llvm.ptr) -> !llvm.ptr, i8
  scf.forall (%t) in (%c1) {
    scf.for %k = %c0 to %n step %c1 {
      %s = llvm.load %p : !llvm.ptr -> f32
      %s2 = arith.addf %s, %y : f32
      llvm.store %s2, %p : f32, !llvm.ptr
      scf.if %c {
        %i = llvm.load %some : !llvm.ptr -> i32
        %i2 = arith.addi %i, %one : i32
        llvm.store %i2, %some : i32, !llvm.ptr
      }
      %j = llvm.load %all : !llvm.ptr -> i32
      %j2 = arith.addi %j, %one : i32
      llvm.store %j2, %all : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @alone(%n: index, %p: !llvm.ptr, %one: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%c1) {
    scf.for %k = %c0 to %n step %c1 {
      %j = llvm.load %p : !llvm.ptr -> i32
      %j2 = arith.addi %j, %one : i32
      llvm.store %j2, %p : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func private @last()
