// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --coarsen-blocks{shape=interleaved} %s | FileCheck %s
// RUN: %unwarp_opt --coarsen-blocks{shape=interleaved} --coarsen-blocks{shape=interleaved} %s | FileCheck %s

// Blocks run in lock step where each thread takes branches of its own that hold no barrier, where one is come by on a
// condition that is the same for all of a row, and where rows are only written.

// CHECK-LABEL: func.func @own_branch
// CHECK: scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) {{(= .* to|in)}} (%c16{{[_0-9]*}}, %{{[0-9]+}}, %c16{{[_0-9]*}})
// CHECK-LABEL: func.func @same_branch
// CHECK: scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) {{(= .* to|in)}} (%c16{{[_0-9]*}}, %{{[0-9]+}}, %c16{{[_0-9]*}})
// CHECK-LABEL: func.func @writes
// CHECK: scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) {{(= .* to|in)}} (%c16{{[_0-9]*}}, %{{[0-9]+}}, %c16{{[_0-9]*}})

llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr

func.func @own_branch(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %step = arith.constant 12 : i64
  %none = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxl = arith.index_cast %bx : index to i64
    %first = arith.muli %bxl, %step : i64
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      %positive = arith.cmpf ogt, %v, %none : f32
      scf.if %positive {
        llvm.store %none, %a : f32, !llvm.ptr
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @same_branch(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %n: i64, %often: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %step = arith.constant 12 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxl = arith.index_cast %bx : index to i64
    %first = arith.muli %bxl, %step : i64
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      scf.if %often {
        "unwarp.barrier"() {level = "block"} : () -> ()
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @writes(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %n: i64, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %step = arith.constant 12 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxl = arith.index_cast %bx : index to i64
    %first = arith.muli %bxl, %step : i64
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %a : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}
