// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --lower-barriers %s | FileCheck %s

// A shuffled value that lanes load from neighbouring elements, at a function of the lane: one load of a vector between
// the loops. Not where something is written after the load, nor where an element in between is no lane's.

// CHECK-LABEL: func.func @again
// CHECK: %[[FOUR:.*]] = llvm.load %{{.*}} : !llvm.ptr -> vector<4xf32>
// CHECK: llvm.shufflevector %[[FOUR]], %[[FOUR]] [0, 1, 2, 3, 0, 1, 2, 3,
// CHECK: arith.addf {{.*}} : vector<32xf32>
func.func @again(%p: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %three = arith.constant 3 : i64
  %two = arith.constant 2 : i32
  %true = arith.constant true
  scf.forall (%b) in (%c1) {
    scf.forall (%l) in (%c32) {
      %at = arith.index_cast %l : index to i64
      %k = arith.andi %at, %three : i64
      %own = llvm.getelementptr %p[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %own : !llvm.ptr -> f32
      %i = arith.index_cast %l : index to i32
      %from = arith.xori %i, %two : i32
      %s = "unwarp.shuffle"(%v, %from, %true) : (f32, i32, i1) -> f32
      %sum = arith.addf %v, %s : f32
      %to = llvm.getelementptr %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %to : f32, !llvm.ptr
    } {mapping = [#gpu.lane<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// CHECK-LABEL: func.func @written
// CHECK-NOT: vector<4xf32>
// CHECK-LABEL: func.func @gaps
// CHECK-NOT: vector<7xf32>
// CHECK-NOT: vector<4xf32>
func.func @written(%p: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %three = arith.constant 3 : i64
  %two = arith.constant 2 : i32
  %true = arith.constant true
  scf.forall (%b) in (%c1) {
    scf.forall (%l) in (%c32) {
      %at = arith.index_cast %l : index to i64
      %k = arith.andi %at, %three : i64
      %own = llvm.getelementptr %p[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %own : !llvm.ptr -> f32
      llvm.store %v, %out : f32, !llvm.ptr
      %i = arith.index_cast %l : index to i32
      %from = arith.xori %i, %two : i32
      %s = "unwarp.shuffle"(%v, %from, %true) : (f32, i32, i1) -> f32
      %to = llvm.getelementptr %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %s, %to : f32, !llvm.ptr
    } {mapping = [#gpu.lane<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @gaps(%p: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %three = arith.constant 6 : i64
  %two = arith.constant 2 : i32
  %true = arith.constant true
  scf.forall (%b) in (%c1) {
    scf.forall (%l) in (%c32) {
      %at = arith.index_cast %l : index to i64
      %k = arith.andi %at, %three : i64
      %own = llvm.getelementptr %p[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %own : !llvm.ptr -> f32
      %i = arith.index_cast %l : index to i32
      %from = arith.xori %i, %two : i32
      %s = "unwarp.shuffle"(%v, %from, %true) : (f32, i32, i1) -> f32
      %to = llvm.getelementptr %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %s, %to : f32, !llvm.ptr
    } {mapping = [#gpu.lane<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
