// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several branches about the extent of the data: tighten makes bounds of one only, so blocks that lie inside get a loop of their own.
// Comparisons with constants are no question of blocks.
// RUN: %unwarp_opt --split-interior %s | FileCheck %s
// RUN: %unwarp_opt --split-interior --split-interior %s | FileCheck %s

// CHECK-LABEL: @two(
// CHECK:       scf.if
// CHECK:         scf.forall
// CHECK-NOT:       scf.if
// CHECK-COUNT-2:   llvm.store
// CHECK:       } else {
// CHECK:         scf.forall
// CHECK-COUNT-2:   scf.if
func.func @two(%base: i32, %n: i32, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %k256 = arith.constant 256 : i32
  scf.forall (%x) in (%c256) {
    %xi = arith.index_castui %x : index to i32
    %at = arith.addi %base, %xi : i32
    %next = arith.addi %at, %k256 : i32
    %first = arith.cmpi slt, %at, %n : i32
    %second = arith.cmpi slt, %next, %n : i32
    scf.if %first {
      llvm.store %v, %p : f32, !llvm.ptr
    }
    scf.if %second {
      llvm.store %v, %p : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: @halves(
// CHECK-NOT:   else
// CHECK:       return
func.func @halves(%p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %k128 = arith.constant 128 : i32
  scf.forall (%x) in (%c256) {
    %xi = arith.index_castui %x : index to i32
    %low = arith.cmpi slt, %xi, %k128 : i32
    %high = arith.cmpi sge, %xi, %k128 : i32
    scf.if %low {
      llvm.store %v, %p : f32, !llvm.ptr
    }
    scf.if %high {
      llvm.store %v, %p : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
