// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that stay alone: whose rows are others than those of threads, whose threads use the index of the row for itself, and, but along the row,
// without a loop.
// RUN: %unwarp_opt --coarsen-blocks %s | FileCheck %s

llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr

// CHECK-LABEL: func.func @apart
// CHECK-NOT: uwrt_max_workers
func.func @apart(%along: index, %down: index, %dims: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %blocks = arith.muli %along, %down : index
  scf.forall (%by, %bx) in (%down, %along) {
    %block = affine.linearize_index disjoint [%by, %bx] by (%down, %along) : index
    %number = arith.index_cast %block : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %left = arith.muli %bx, %c64 : index
    %top = arith.muli %by, %c8 : index
    scf.forall (%z, %y, %x) in (%c1, %c4, %c64) {
      %column = arith.addi %left, %x : index
      %row = arith.addi %top, %y : index
      %line = arith.muli %row, %n : index
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
        %i = arith.addi %line, %k : index
        %i64 = arith.index_cast %i : index to i64
        %p = llvm.getelementptr %a[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %u = llvm.load %p : !llvm.ptr -> f32
        %above = arith.muli %k, %n : index
        %j = arith.addi %above, %column : index
        %j64 = arith.index_cast %j : index to i64
        %q = llvm.getelementptr %b[%j64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %q : !llvm.ptr -> f32
        %w = arith.mulf %u, %v : f32
        %t = arith.addf %s, %w : f32
        scf.yield %t : f32
      }
      %m = arith.addi %line, %column : index
      %m64 = arith.index_cast %m : index to i64
      %r = llvm.getelementptr %c[%m64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %r : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// CHECK-LABEL: func.func @own_index
// CHECK-NOT: uwrt_max_workers
func.func @own_index(%along: index, %down: index, %dims: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %blocks = arith.muli %along, %down : index
  scf.forall (%by, %bx) in (%down, %along) {
    %block = affine.linearize_index disjoint [%by, %bx] by (%down, %along) : index
    %number = arith.index_cast %block : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %left = arith.muli %bx, %c64 : index
    %top = arith.muli %by, %c4 : index
    scf.forall (%z, %y, %x) in (%c1, %c4, %c64) {
      %column = arith.addi %left, %x : index
      %row = arith.addi %top, %y : index
      %line = arith.muli %row, %n : index
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
        %i = arith.addi %line, %k : index
        %i64 = arith.index_cast %i : index to i64
        %p = llvm.getelementptr %a[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %u = llvm.load %p : !llvm.ptr -> f32
        %above = arith.muli %k, %n : index
        %j = arith.addi %above, %column : index
        %j64 = arith.index_cast %j : index to i64
        %q = llvm.getelementptr %b[%j64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %q : !llvm.ptr -> f32
        %w = arith.mulf %u, %v : f32
        %t = arith.addf %s, %w : f32
        scf.yield %t : f32
      }
      %y64 = arith.index_cast %y : index to i64
      %own = llvm.getelementptr %c[%y64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %own : f32, !llvm.ptr
      %m = arith.addi %line, %column : index
      %m64 = arith.index_cast %m : index to i64
      %r = llvm.getelementptr %c[%m64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %r : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// CHECK-LABEL: func.func @no_loop
// CHECK: scf.forall {{.*}} step (1, %{{.*}})
// CHECK: scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) in (%c1, %c4, %{{.*}})
func.func @no_loop(%along: index, %down: index, %dims: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %blocks = arith.muli %along, %down : index
  scf.forall (%by, %bx) in (%down, %along) {
    %block = affine.linearize_index disjoint [%by, %bx] by (%down, %along) : index
    %number = arith.index_cast %block : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %left = arith.muli %bx, %c64 : index
    %top = arith.muli %by, %c4 : index
    scf.forall (%z, %y, %x) in (%c1, %c4, %c64) {
      %column = arith.addi %left, %x : index
      %row = arith.addi %top, %y : index
      %line = arith.muli %row, %n : index
      %sum = arith.constant 1.0 : f32
      %m = arith.addi %line, %column : index
      %m64 = arith.index_cast %m : index to i64
      %r = llvm.getelementptr %c[%m64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %r : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}
