// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --form-warps --simplify --lower-barriers --simplify{after=lower-barriers} %s | FileCheck %s

// Shuffles of values that are there before the first of them share its split; what only computes such a value moves there.

// CHECK-LABEL: func.func @vectors
// CHECK: call @get
// CHECK: llvm.store
// CHECK: llvm.store
// CHECK: {mapping = [#gpu.lane<x>]}
// CHECK: llvm.shufflevector %{{.*}} [1, 2,
// CHECK: llvm.shufflevector %{{.*}} [2, 3,
// CHECK: scf.forall
// CHECK: call @put
// CHECK: {mapping = [#gpu.lane<x>]}
// CHECK-NEXT: } {mapping = [#gpu.warp<x>]}
func.func @vectors() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %mask = arith.constant 31 : i32
  %true = arith.constant true
  scf.forall (%x) in (%size) {
    %v:2 = func.call @get(%x) : (index) -> (i32, i32)
    %i = arith.index_castui %x : index to i32
    %lane = arith.andi %i, %mask : i32
    %up1 = arith.addi %lane, %one : i32
    %a = "unwarp.shuffle"(%v#0, %up1, %true) : (i32, i32, i1) -> i32
    func.call @put(%a) : (i32) -> ()
    %w = arith.muli %v#0, %v#1 : i32
    %up2 = arith.addi %lane, %two : i32
    %b = "unwarp.shuffle"(%w, %up2, %true) : (i32, i32, i1) -> i32
    func.call @put(%b) : (i32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}

// Through slots where the sources are not known: the second one's may be computed from what the first gave.
// CHECK-LABEL: func.func @slots
// CHECK: call @get
// CHECK: {mapping = [#gpu.lane<x>]}
// CHECK: scf.forall
// CHECK: %[[A:.*]] = llvm.load
// CHECK: call @put(%[[A]])
// CHECK: %[[B:.*]] = llvm.load
// CHECK: call @put(%[[B]])
// CHECK: {mapping = [#gpu.lane<x>]}
// CHECK-NEXT: } {mapping = [#gpu.warp<x>]}
func.func @slots(%from: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 64 : index
  %true = arith.constant true
  scf.forall (%x) in (%size) {
    %v:2 = func.call @get(%x) : (index) -> (i32, i32)
    %a = "unwarp.shuffle"(%v#0, %from, %true) : (i32, i32, i1) -> i32
    func.call @put(%a) : (i32) -> ()
    %b = "unwarp.shuffle"(%v#1, %a, %true) : (i32, i32, i1) -> i32
    func.call @put(%b) : (i32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}

// Not together where the second value depends on the first one's result, or on what is read after it.
// CHECK-LABEL: func.func @one_by_one
// CHECK: call @get
// CHECK: {mapping = [#gpu.lane<x>]}
// CHECK: llvm.store
// CHECK: {mapping = [#gpu.lane<x>]}
// CHECK: call @put
// CHECK: call @get
// CHECK: {mapping = [#gpu.lane<x>]}
// CHECK: call @put
// CHECK: {mapping = [#gpu.warp<x>]}
func.func @one_by_one(%from: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 64 : index
  %true = arith.constant true
  scf.forall (%x) in (%size) {
    %v:2 = func.call @get(%x) : (index) -> (i32, i32)
    %a = "unwarp.shuffle"(%v#0, %from, %true) : (i32, i32, i1) -> i32
    %sum = arith.addi %a, %v#1 : i32
    %b = "unwarp.shuffle"(%sum, %from, %true) : (i32, i32, i1) -> i32
    func.call @put(%b) : (i32) -> ()
    %w:2 = func.call @get(%x) : (index) -> (i32, i32)
    %c = "unwarp.shuffle"(%w#0, %from, %true) : (i32, i32, i1) -> i32
    func.call @put(%c) : (i32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @get(index) -> (i32, i32)
func.func private @put(i32)
