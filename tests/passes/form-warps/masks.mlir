// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --form-warps --simplify %s | FileCheck %s

// What a mask keeps of a thread's index, shifted or not: bits of the lane alone, or of the warp alone. A mask with bits
// of both keeps the sum.

// CHECK-LABEL: func.func @masks
// CHECK: scf.forall (%[[W:.*]]) {{=|in}}
// CHECK: %[[FIRST:.*]] = arith.muli %[[W]]
// CHECK: %[[F:.*]] = arith.index_cast{{.*}} %[[FIRST]]
// CHECK: %[[HIGH:.*]] = arith.shrui %[[F]]
// CHECK: arith.andi %[[HIGH]], %c12
// CHECK: scf.forall (%[[L:.*]]) {{=|in}}
// CHECK-DAG: %[[LANE:.*]] = arith.index_cast %[[L]]
// CHECK-DAG: %[[TIMES4:.*]] = arith.shli %[[LANE]]
// CHECK-DAG: arith.andi %[[TIMES4]], %c12
// CHECK-DAG: %[[SUM:.*]] = arith.addi %[[FIRST]], %[[L]]
// CHECK-DAG: %[[ALL:.*]] = arith.index_castui %[[SUM]]
// CHECK-DAG: %[[BOTH:.*]] = arith.shrui %[[ALL]]
// CHECK-DAG: arith.andi %[[BOTH]], %c6
// CHECK: {mapping = [#gpu.lane<x>]}
func.func @masks() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 128 : index
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %c12 = arith.constant 12 : i32
  %c6 = arith.constant 6 : i32
  %true = arith.constant true
  scf.forall (%x) in (%size) {
    %i = arith.index_castui %x : index to i32
    %a = arith.shli %i, %two : i32
    %of_lane = arith.andi %a, %c12 : i32
    %b = arith.shrui %i, %three : i32
    %of_warp = arith.andi %b, %c12 : i32
    %of_both = arith.andi %b, %c6 : i32
    func.call @put3(%of_lane, %of_warp, %of_both) : (i32, i32, i32) -> ()
    %s = "unwarp.shuffle"(%i, %two, %true) : (i32, i32, i1) -> i32
    func.call @put(%s) : (i32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @put(i32)
func.func private @put3(i32, i32, i32)
