// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where neighbours of a row take an element of another row of memory each, a strip has no more than 32 of them, so that the next row finds
// the lines in the caches; else it has up to 2048.
// RUN: %unwarp_opt --coarsen-blocks %s | FileCheck %s
// RUN: %unwarp_opt --coarsen-blocks --coarsen-blocks %s | FileCheck %s

llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr

// CHECK-LABEL: func.func @transpose
// CHECK: arith.divui %c32{{.*}}, %c16
// CHECK: llvm.call @uwrt_max_workers
func.func @transpose(%along: index, %down: index, %dims: !llvm.ptr, %a: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %blocks = arith.muli %along, %down : index
  scf.forall (%by, %bx) in (%down, %along) {
    %block = affine.linearize_index disjoint [%by, %bx] by (%down, %along) : index
    %number = arith.index_cast %block : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %left = arith.muli %bx, %c16 : index
    %top = arith.muli %by, %c16 : index
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %column = arith.addi %left, %x : index
      %row = arith.addi %top, %y : index
      %line = arith.muli %row, %n : index
      %far = arith.muli %column, %n : index
      %i = arith.addi %far, %row : index
      %i64 = arith.index_cast %i : index to i64
      %p = llvm.getelementptr %a[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %u = llvm.load %p : !llvm.ptr -> f32
      %m = arith.addi %line, %column : index
      %m64 = arith.index_cast %m : index to i64
      %r = llvm.getelementptr %c[%m64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %u, %r : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// CHECK-LABEL: func.func @copy
// CHECK: arith.divui %c2048{{.*}}, %c16
// CHECK: llvm.call @uwrt_max_workers
func.func @copy(%along: index, %down: index, %dims: !llvm.ptr, %a: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %blocks = arith.muli %along, %down : index
  scf.forall (%by, %bx) in (%down, %along) {
    %block = affine.linearize_index disjoint [%by, %bx] by (%down, %along) : index
    %number = arith.index_cast %block : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %left = arith.muli %bx, %c16 : index
    %top = arith.muli %by, %c16 : index
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %column = arith.addi %left, %x : index
      %row = arith.addi %top, %y : index
      %line = arith.muli %row, %n : index
      %far = arith.muli %column, %n : index
      %i = arith.addi %line, %column : index
      %i64 = arith.index_cast %i : index to i64
      %p = llvm.getelementptr %a[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %u = llvm.load %p : !llvm.ptr -> f32
      %m = arith.addi %line, %column : index
      %m64 = arith.index_cast %m : index to i64
      %r = llvm.getelementptr %c[%m64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %u, %r : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// CHECK-LABEL: func.func @near
// CHECK: arith.divui %c2048{{.*}}, %c16
func.func @near(%along: index, %down: index, %dims: !llvm.ptr, %a: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %blocks = arith.muli %along, %down : index
  scf.forall (%by, %bx) in (%down, %along) {
    %block = affine.linearize_index disjoint [%by, %bx] by (%down, %along) : index
    %number = arith.index_cast %block : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %left = arith.muli %bx, %c16 : index
    %top = arith.muli %by, %c16 : index
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %column = arith.addi %left, %x : index
      %row = arith.addi %top, %y : index
      %line = arith.muli %row, %n : index
      %far = arith.muli %column, %c16 : index
      %i = arith.addi %far, %row : index
      %i64 = arith.index_cast %i : index to i64
      %p = llvm.getelementptr %a[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %u = llvm.load %p : !llvm.ptr -> f32
      %m = arith.addi %line, %column : index
      %m64 = arith.index_cast %m : index to i64
      %r = llvm.getelementptr %c[%m64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %u, %r : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}
