// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --form-warps --simplify %s | FileCheck %s
// RUN: %unwarp_opt --form-warps --simplify --form-warps --simplify %s | FileCheck %s

// Block index * block size + thread index: shifted by five, divided by 64 or compared with a multiple of 32 it is the same for all
// lanes of a warp; its lowest five bits are the lane.

// CHECK-LABEL: func.func @rows
// CHECK: scf.forall (%[[W:.*]]) {{=|in}}
// CHECK-DAG: arith.shrui
// CHECK-DAG: arith.divsi
// CHECK-DAG: arith.cmpi slt
// CHECK: scf.forall (%[[L:.*]]) {{=|in}}
// CHECK: %[[LANE:.*]] = arith.index_cast %[[L]] : index to i32
// CHECK-NOT: arith.shrui
// CHECK-NOT: arith.divsi
// CHECK-NOT: arith.cmpi
// CHECK: "unwarp.shuffle"
// CHECK: call @put(%{{.*}}, %{{.*}}, %{{.*}}, %[[LANE]], %{{.*}})
// CHECK: {mapping = [#gpu.lane<x>]}
// CHECK: {mapping = [#gpu.warp<x>]}
func.func @rows(%block: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 128 : index
  %width = arith.constant 128 : i32
  %five = arith.constant 5 : i32
  %sixty_four = arith.constant 64 : i32
  %mask = arith.constant 31 : i32
  %true = arith.constant true
  %b = arith.index_castui %block : index to i32
  %offset = arith.muli %b, %width overflow<nsw> : i32
  scf.forall (%x) in (%size) {
    %xi = arith.index_castui %x : index to i32
    %i = arith.addi %offset, %xi overflow<nsw> : i32
    %row = arith.shrui %i, %five : i32
    %pair = arith.divsi %i, %sixty_four : i32
    %first = arith.cmpi slt, %xi, %sixty_four : i32
    %lane = arith.andi %i, %mask : i32
    %v = "unwarp.shuffle"(%row, %mask, %true) : (i32, i32, i1) -> i32
    func.call @put(%row, %pair, %first, %lane, %v) : (i32, i32, i1, i32, i32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @put(i32, i32, i1, i32, i32)
