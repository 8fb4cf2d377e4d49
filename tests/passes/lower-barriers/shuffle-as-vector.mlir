// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --form-warps --simplify --lower-barriers --simplify{after=lower-barriers} %s | FileCheck %s

// A tree of shuffles by known distances in whole warps is arithmetic on vectors; only the first lane's sum is kept.

// CHECK-LABEL: func.func @tree
// CHECK: llvm.store %{{.*}} : f32
// CHECK: {mapping = [#gpu.lane<x>]}
// CHECK: %[[V:.*]] = llvm.load %{{.*}} : !llvm.ptr -> vector<32xf32>
// CHECK: %[[A:.*]] = llvm.shufflevector %[[V]], %[[V]] [2, 3,
// CHECK: %[[B:.*]] = arith.addf %[[V]], %[[A]] : vector<32xf32>
// CHECK: %[[C:.*]] = llvm.shufflevector %[[B]], %[[B]] [1, 2,
// CHECK: %[[D:.*]] = arith.addf %[[B]], %[[C]] : vector<32xf32>
// CHECK: llvm.extractelement %[[D]]
// CHECK: scf.forall
// CHECK-NOT: vector
// CHECK: call @put
// CHECK: {mapping = [#gpu.warp<x>]}
func.func @tree() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %mask = arith.constant 31 : i32
  %true = arith.constant true
  scf.forall (%x) in (%size) {
    %v = func.call @get(%x) : (index) -> f32
    %i = arith.index_castui %x : index to i32
    %lane = arith.andi %i, %mask : i32
    %up2 = arith.addi %lane, %two : i32
    %a = "unwarp.shuffle"(%v, %up2, %true) : (f32, i32, i1) -> f32
    %b = arith.addf %v, %a : f32
    %up1 = arith.addi %lane, %one : i32
    %c = "unwarp.shuffle"(%b, %up1, %true) : (f32, i32, i1) -> f32
    %d = arith.addf %b, %c : f32
    %first = arith.cmpi eq, %lane, %zero : i32
    scf.if %first {
      func.call @put(%d) : (f32) -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// Not with a source that is not known, lanes that do not take part, or fewer than 32 lanes. Whole warps in front of such a one have vectors.
// CHECK-LABEL: func.func @unknown
// CHECK-NOT: vector<
// CHECK-LABEL: func.func @some
// CHECK-NOT: vector<
// CHECK-LABEL: func.func @few
// CHECK-NOT: vector<
// CHECK-LABEL: func.func @last_is_less
// CHECK: vector<
// CHECK: mapping = [#gpu.warp<x>]
// CHECK-NOT: vector<
// CHECK: unwarp.runs_seldom
func.func @unknown(%from: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 64 : index
  %true = arith.constant true
  scf.forall (%x) in (%size) {
    %v = func.call @get(%x) : (index) -> f32
    %a = "unwarp.shuffle"(%v, %from, %true) : (f32, i32, i1) -> f32
    func.call @put(%a) : (f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @some(%active: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 64 : index
  %one = arith.constant 1 : i32
  scf.forall (%x) in (%size) {
    %v = func.call @get(%x) : (index) -> f32
    %a = "unwarp.shuffle"(%v, %one, %active) : (f32, i32, i1) -> f32
    func.call @put(%a) : (f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @few() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %true = arith.constant true
  scf.forall (%x) in (%size) {
    %v = func.call @get(%x) : (index) -> f32
    %a = "unwarp.shuffle"(%v, %one, %true) : (f32, i32, i1) -> f32
    func.call @put(%a) : (f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @last_is_less() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 48 : index
  %one = arith.constant 1 : i32
  %true = arith.constant true
  scf.forall (%x) in (%size) {
    %v = func.call @get(%x) : (index) -> f32
    %a = "unwarp.shuffle"(%v, %one, %true) : (f32, i32, i1) -> f32
    func.call @put(%a) : (f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @get(index) -> f32
func.func private @put(f32)
