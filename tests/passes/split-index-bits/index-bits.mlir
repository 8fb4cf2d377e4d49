// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads in runs of 16, 8, 4, 2 and 1 where addresses come from bits of the index.
// RUN: %unwarp_opt --split-index-bits %s | FileCheck %s
// RUN: %unwarp_opt --split-index-bits --split-index-bits %s | FileCheck %s

// A mask that is known: one version. The value at the start of the run, plus the lane.
// CHECK-LABEL: @known_mask(
// CHECK-NOT:   scf.if
// CHECK:       scf.forall (%[[G:.*]]) in
// CHECK:         %[[U:.*]] = arith.muli %[[G]], %c16
// CHECK:         %[[K:.*]] = arith.andi
// CHECK:         scf.forall (%[[LANE:.*]]) {{(= .* to|in)}} (%c16{{.*}})
// CHECK-NOT:       arith.andi
// CHECK:           %[[I:.*]] = arith.index_castui %[[LANE]] : index to i32
// CHECK:           arith.addi %[[K]], %[[I]] : i32
// CHECK:         } {mapping = [#gpu.lane<x>]}
// CHECK:       } {mapping = [#gpu.thread<
// CHECK-NOT:   scf.forall
func.func @known_mask(%from: !llvm.ptr, %to: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %m = arith.constant 31 : i32
  scf.forall (%t) in (%c64) {
    %v = arith.index_castui %t : index to i32
    %k = arith.andi %v, %m : i32
    %p = llvm.getelementptr %from[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %x = llvm.load %p : !llvm.ptr -> i32
    %q = llvm.getelementptr %to[%v] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %x, %q : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// A small mask: neighbours operation by operation; loads first.
// CHECK-LABEL: @neighbours(
// CHECK-NOT:   scf.if
// CHECK:       scf.forall
// CHECK-COUNT-2: llvm.load
// CHECK-COUNT-2: llvm.store
// CHECK-NOT:   llvm.load
// CHECK:       } {mapping = [#gpu.thread<
func.func @neighbours(%from: !llvm.ptr, %to: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %m = arith.constant 1 : i32
  scf.forall (%t) in (%c64) {
    %v = arith.index_castui %t : index to i32
    %k = arith.andi %v, %m : i32
    %twice = arith.addi %v, %v : i32
    %at = arith.subi %twice, %k : i32
    %p = llvm.getelementptr %from[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %x = llvm.load %p : !llvm.ptr -> i32
    %q = llvm.getelementptr %to[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %x, %q : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// A mask, a number of threads and a first index that are asked at run time: five versions, and the loop as it was.
// The branch on what was loaded from shared memory becomes a store of either value.
// CHECK-LABEL: @asked(
// CHECK:       arith.cmpi eq
// CHECK:       scf.if
// CHECK:         scf.forall
// CHECK:           } {mapping = [#gpu.lane<x>]}
// CHECK:       } else {
// CHECK:         scf.if
// CHECK:           scf.forall
// CHECK:             } {mapping = [#gpu.lane<x>]}
// CHECK:         } else {
// CHECK:           scf.if
// CHECK:             scf.forall
// CHECK-NOT:         scf.if
// CHECK:           } else {
// CHECK:             scf.if
// CHECK:               scf.forall
// CHECK:             } else {
// CHECK:               scf.if
// CHECK:                 scf.forall
// CHECK:               } else {
// CHECK:                 scf.forall
// CHECK:                   arith.andi
// CHECK-NOT:               scf.if
// CHECK:                   arith.select
// CHECK:                   llvm.store
func.func @asked(%n: index, %base: i32, %m: i32, %y: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = arith.constant 4096 : i64
  %tile = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%n) {
    %i = arith.index_castui %t : index to i32
    %v = arith.addi %base, %i : i32
    %k = arith.andi %v, %m : i32
    %p = llvm.getelementptr %tile[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %x = llvm.load %p : !llvm.ptr -> i32
    %less = arith.cmpi slt, %x, %y : i32
    scf.if %less {
      llvm.store %y, %p : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// Rows of 48: quotients are the same in a run, remainders count. Neither is computed in the lanes.
// CHECK-LABEL: @rows(
// CHECK:       scf.forall
// CHECK:         arith.remui
// CHECK:         arith.divui
// CHECK:         scf.forall
// CHECK-NOT:       arith.remui
// CHECK-NOT:       arith.divui
// CHECK:         } {mapping = [#gpu.lane<x>]}
// CHECK-NOT:   scf.forall
func.func @rows(%from: !llvm.ptr, %to: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c96 = arith.constant 96 : index
  %c48 = arith.constant 48 : index
  %c50 = arith.constant 50 : index
  scf.forall (%t) in (%c96) {
    %column = arith.remui %t, %c48 : index
    %row = arith.divui %t, %c48 : index
    %start = arith.muli %row, %c50 : index
    %at = arith.addi %start, %column : index
    %at64 = arith.index_castui %at : index to i64
    %p = llvm.getelementptr %from[%at64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %x = llvm.load %p : !llvm.ptr -> i32
    %q = llvm.getelementptr %to[%at64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %x, %q : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
