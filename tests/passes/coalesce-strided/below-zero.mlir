// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An unsigned counter may start below zero, that is past all bounds, in the first threads: they are left out.
// Where it is said not to wrap around, nothing is asked.
// RUN: %unwarp_opt --coalesce-strided %s | FileCheck %s

// CHECK-LABEL: func.func @one_less
// CHECK: scf.forall
// CHECK: scf.if
// CHECK: %[[COMMON:.*]] = arith.index_castui %{{.*}} : i32 to index
// CHECK: %[[RANGE:.*]] = arith.constant 4294967296 : index
// CHECK: %[[WRAPS:.*]] = arith.cmpi sge, %{{.*}}, %[[RANGE]] : index
// CHECK: %[[BELOW:.*]] = arith.subi %[[COMMON]], %[[RANGE]] : index
// CHECK: %[[LOWER:.*]] = arith.select %[[WRAPS]], %[[BELOW]], %[[COMMON]] : index
// CHECK: %[[MINUS:.*]] = arith.subi %[[ZERO:.*]], %[[LOWER]] : index
// CHECK: %[[FIRST:.*]] = arith.maxsi %[[MINUS]], %[[ZERO]] : index
// CHECK: scf.for %{{.*}} = %[[LOWER]] to
// CHECK: arith.cmpi sge, %{{.*}}, %[[FIRST]] : index
func.func @one_less(%threads: index, %n: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %stride = arith.constant 64 : i32
  %less = arith.constant -1 : i32
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %start = arith.addi %ti, %less : i32
    %r = scf.while (%i = %start) : (i32) -> i32 {
      %more = arith.cmpi ult, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %to = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
      %j = arith.addi %i, %stride : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// Of 64 bits: where all threads start after the bound no iteration is run.
// CHECK-LABEL: func.func @shifted
// CHECK: scf.if
// CHECK: %[[COMMON:.*]] = arith.index_castui %{{.*}} : i64 to index
// CHECK: %[[UPPER:.*]] = arith.index_castui %arg1 : i64 to index
// CHECK: %[[LAST:.*]] = arith.addi %[[COMMON]], %{{.*}} : index
// CHECK: %[[AFTER:.*]] = arith.cmpi slt, %[[LAST]], %{{.*}} : index
// CHECK: %[[LOWER:.*]] = arith.select %[[AFTER]], %[[UPPER]], %[[COMMON]] : index
// CHECK: scf.for %{{.*}} = %[[LOWER]] to %[[UPPER]]
func.func @shifted(%threads: index, %n: i64, %shift: i64, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %stride = arith.constant 64 : i64
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i64
    %start = arith.addi %ti, %shift : i64
    %r = scf.while (%i = %start) : (i64) -> i64 {
      %more = arith.cmpi ult, %i, %n : i64
      scf.condition(%more) %i : i64
    } do {
    ^bb0(%i: i64):
      %to = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      llvm.store %i, %to : i64, !llvm.ptr
      %j = arith.addi %i, %stride : i64
      scf.yield %j : i64
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @of_the_grid
// CHECK-NOT: arith.cmpi sge
// CHECK: "unwarp.barrier"
func.func @of_the_grid(%blocks: index, %threads: index, %n: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ahead = arith.constant 3 : i32
  scf.forall (%block) in (%blocks) {
    scf.forall (%t) in (%threads) {
      %ti = arith.index_castui %t : index to i32
      %bi = arith.index_castui %block : index to i32
      %width = arith.index_castui %threads : index to i32
      %before = arith.muli %bi, %width overflow<nuw> : i32
      %own = arith.addi %before, %ti overflow<nuw> : i32
      %start = arith.addi %own, %ahead overflow<nuw> : i32
      %r = scf.while (%i = %start) : (i32) -> i32 {
        %more = arith.cmpi ult, %i, %n : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%i: i32):
        %to = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        llvm.store %i, %to : i32, !llvm.ptr
        %j = arith.addi %i, %width : i32
        scf.yield %j : i32
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
