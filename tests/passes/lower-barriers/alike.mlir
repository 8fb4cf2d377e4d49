// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --lower-barriers %s | FileCheck %s
// RUN: %unwarp_opt --lower-barriers %s >%t && %unwarp_opt --lower-barriers %t | diff %t -

// Four elements and two steps of a butterfly: all lanes have the same sum, which is one value, and so is its square.
// CHECK-LABEL: func.func @sum
// CHECK: arith.addf {{.*}} : vector<32xf32>
// CHECK: %[[ALL:.*]] = arith.addf {{.*}} : vector<32xf32>
// CHECK: %[[ONE:.*]] = llvm.extractelement %[[ALL]][%{{.*}} : i64] : vector<32xf32>
// CHECK: scf.forall
// CHECK: arith.mulf %[[ONE]], %[[ONE]] : f32

// So have two sums that start together, and what follows from both.
// CHECK-LABEL: func.func @together
// CHECK-DAG: %[[A:.*]] = llvm.extractelement {{.*}} : vector<32xf32>
// CHECK-DAG: %[[B:.*]] = llvm.extractelement {{.*}} : vector<32xf32>
// CHECK-NOT: vector<32xf32>
// CHECK: arith.divf %{{.*}}, %{{.*}} : f32

// One step leaves two sums, and a difference has its operands in another order in each other lane.
// CHECK-LABEL: func.func @two
// CHECK-NOT: llvm.extractelement
// CHECK-LABEL: func.func @difference
// CHECK-NOT: llvm.extractelement
func.func @sum(%p: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %three = arith.constant 3 : i64
  %one = arith.constant 1 : i32
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
      %other = arith.xori %i, %one : i32
      %t = "unwarp.shuffle"(%sum, %other, %true) : (f32, i32, i1) -> f32
      %all = arith.addf %sum, %t : f32
      %square = arith.mulf %all, %all : f32
      %to = llvm.getelementptr %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %square, %to : f32, !llvm.ptr
    } {mapping = [#gpu.lane<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @together(%p: !llvm.ptr, %q: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %three = arith.constant 3 : i64
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %true = arith.constant true
  scf.forall (%b) in (%c1) {
    scf.forall (%l) in (%c32) {
      %at = arith.index_cast %l : index to i64
      %k = arith.andi %at, %three : i64
      %own = llvm.getelementptr %p[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %own : !llvm.ptr -> f32
      %second = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %w = llvm.load %second : !llvm.ptr -> f32
      %i = arith.index_cast %l : index to i32
      %from = arith.xori %i, %two : i32
      %other = arith.xori %i, %one : i32
      %s = "unwarp.shuffle"(%v, %from, %true) : (f32, i32, i1) -> f32
      %sum = arith.addf %v, %s : f32
      %t = "unwarp.shuffle"(%sum, %other, %true) : (f32, i32, i1) -> f32
      %all = arith.addf %sum, %t : f32
      %x = "unwarp.shuffle"(%w, %from, %true) : (f32, i32, i1) -> f32
      %half = arith.addf %w, %x : f32
      %y = "unwarp.shuffle"(%half, %other, %true) : (f32, i32, i1) -> f32
      %every = arith.addf %half, %y : f32
      %square = arith.divf %all, %every : f32
      %to = llvm.getelementptr %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %square, %to : f32, !llvm.ptr
    } {mapping = [#gpu.lane<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @two(%p: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %three = arith.constant 3 : i64
  %one = arith.constant 1 : i32
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
      %square = arith.mulf %sum, %sum : f32
      %to = llvm.getelementptr %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %square, %to : f32, !llvm.ptr
    } {mapping = [#gpu.lane<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @difference(%p: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %three = arith.constant 3 : i64
  %one = arith.constant 1 : i32
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
      %sum = arith.subf %v, %s : f32
      %other = arith.xori %i, %one : i32
      %t = "unwarp.shuffle"(%sum, %other, %true) : (f32, i32, i1) -> f32
      %all = arith.addf %sum, %t : f32
      %square = arith.mulf %all, %all : f32
      %to = llvm.getelementptr %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %square, %to : f32, !llvm.ptr
    } {mapping = [#gpu.lane<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
