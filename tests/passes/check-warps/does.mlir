// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --check-warps %s | FileCheck %s
// RUN: %unwarp_opt --check-warps --lower-barriers --check-ends %s | FileCheck %s --check-prefix=ENDS

// What all lanes of a warp come to is told by one of them, also with the mask of a vote of all; not under a condition of
// the lane, nor with a mask of some.

// CHECK-LABEL: func.func @exchanges
// CHECK-NOT: __unwarp_check_warp
// CHECK: "unwarp.shuffle"
// CHECK: llvm.call @__unwarp_check_met(
// CHECK-NOT: __unwarp_check_warp
// CHECK: "unwarp.reduce"
// CHECK: llvm.call @__unwarp_check_met(
// CHECK: llvm.call @__unwarp_check_load4(
// CHECK-NOT: __unwarp_check_warp
// CHECK: "unwarp.shuffle"
// CHECK: llvm.call @__unwarp_check_met(
// CHECK: llvm.call @__unwarp_check_warp_arrive(
// CHECK: "unwarp.shuffle"
// CHECK: llvm.call @__unwarp_check_warp_pass(
// CHECK: scf.if
// CHECK: llvm.call @__unwarp_check_warp_arrive(
// CHECK: "unwarp.shuffle"
// CHECK: llvm.call @__unwarp_check_warp_pass(

// Told before the lanes run, and what comes to the block's barrier after that. The check between two exchanges keeps them
// apart, and in order.

// ENDS-LABEL: func.func @exchanges
// ENDS: llvm.call @__unwarp_check_row_pass(
// ENDS-NEXT: scf.forall
// ENDS-NOT: __unwarp_check_met
// ENDS: llvm.call @uwrt_check_met(
// ENDS: scf.forall
// ENDS: llvm.call @__unwarp_check_load4(
// ENDS: llvm.call @uwrt_check_met(
// ENDS: scf.forall
// ENDS: llvm.call @__unwarp_check_warp_arrive(
// ENDS: llvm.call @uwrt_check_row_arrives(
llvm.func @__unwarp_check_pass(!llvm.ptr, i32, i32, i32)
llvm.func @__unwarp_check_arrive(!llvm.ptr, i32, i32, i32)
llvm.func @__unwarp_check_warp_pass(!llvm.ptr, i32, i32, i32)
llvm.func @__unwarp_check_warp_arrive(!llvm.ptr, i32, i32, i32)
llvm.func @__unwarp_check_load4(!llvm.ptr, !llvm.ptr, i32, i32, i64)
func.func @exchanges(%state: !llvm.ptr, %a: !llvm.ptr, %n: i32, %first: i32, %site: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %block = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i64
  %all = arith.constant -1 : i32
  %some = arith.constant 255 : i32
  %true = arith.constant true
  scf.forall (%l) in (%c32) {
    %lane = arith.index_cast %l : index to i32
    %thread = arith.addi %first, %lane : i32
    llvm.call @__unwarp_check_pass(%state, %site, %thread, %block) : (!llvm.ptr, i32, i32, i32) -> ()
    %v = llvm.load %a : !llvm.ptr -> i32
    %from = arith.xori %lane, %one : i32
    llvm.call @__unwarp_check_warp_arrive(%state, %site, %thread, %all) : (!llvm.ptr, i32, i32, i32) -> ()
    %s = "unwarp.shuffle"(%v, %from, %true) : (i32, i32, i1) -> i32
    llvm.call @__unwarp_check_warp_pass(%state, %site, %thread, %from) : (!llvm.ptr, i32, i32, i32) -> ()
    llvm.call @__unwarp_check_warp_arrive(%state, %site, %thread, %all) : (!llvm.ptr, i32, i32, i32) -> ()
    %voted = "unwarp.reduce"(%one, %true) {kind = "ballot", level = "warp"} : (i32, i1) -> i32
    llvm.call @__unwarp_check_warp_pass(%state, %site, %thread, %all) : (!llvm.ptr, i32, i32, i32) -> ()
    llvm.call @__unwarp_check_load4(%state, %a, %site, %thread, %zero) : (!llvm.ptr, !llvm.ptr, i32, i32, i64) -> ()
    %w = llvm.load %a : !llvm.ptr -> i32
    llvm.call @__unwarp_check_warp_arrive(%state, %site, %thread, %voted) : (!llvm.ptr, i32, i32, i32) -> ()
    %t = "unwarp.shuffle"(%s, %from, %true) : (i32, i32, i1) -> i32
    llvm.call @__unwarp_check_warp_pass(%state, %site, %thread, %from) : (!llvm.ptr, i32, i32, i32) -> ()
    llvm.call @__unwarp_check_warp_arrive(%state, %site, %thread, %some) : (!llvm.ptr, i32, i32, i32) -> ()
    %u = "unwarp.shuffle"(%t, %from, %true) : (i32, i32, i1) -> i32
    llvm.call @__unwarp_check_warp_pass(%state, %site, %thread, %from) : (!llvm.ptr, i32, i32, i32) -> ()
    %passes = arith.cmpi slt, %thread, %n : i32
    scf.if %passes {
      llvm.call @__unwarp_check_warp_arrive(%state, %site, %thread, %all) : (!llvm.ptr, i32, i32, i32) -> ()
      %x = "unwarp.shuffle"(%u, %from, %true) : (i32, i32, i1) -> i32
      llvm.call @__unwarp_check_warp_pass(%state, %site, %thread, %from) : (!llvm.ptr, i32, i32, i32) -> ()
      %sum = arith.addi %x, %w : i32
      llvm.store %sum, %a : i32, !llvm.ptr
    }
    llvm.call @__unwarp_check_arrive(%state, %site, %thread, %block) : (!llvm.ptr, i32, i32, i32) -> ()
  } {mapping = [#gpu.lane<x>]}
  return
}
