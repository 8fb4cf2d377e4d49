// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an iteration stores the next one loads, by plain accesses, in a block of any size: in front of the branch, and in it before the store.
// RUN: %unwarp_opt --sync-warps %s | FileCheck %s
func.func @kernel(%n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %last = arith.constant 31 : i32
  %warp = arith.constant 32 : i32
  %bytes = arith.constant 4096 : i64
  scf.forall (%block) in (%c1) {
    %tile = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%i) in (%n) {
      %t = arith.index_castui %i : index to i32
      %lane = arith.andi %t, %last : i32
      %wide = arith.extui %t : i32 to i64
      %own = llvm.getelementptr inbounds %tile[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %end = scf.while (%step = %one) : (i32) -> i32 {
        %more = arith.cmpi ult, %step, %warp : i32
        scf.condition(%more) %step : i32
      } do {
      ^bb0(%step: i32):
        %low = arith.cmpi uge, %lane, %step : i32
        scf.if %low {
          %left = arith.subi %t, %step : i32
          %wide_left = arith.extui %left : i32 to i64
          %other = llvm.getelementptr inbounds %tile[%wide_left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
          %a = llvm.load %other : !llvm.ptr -> i32
          %b = llvm.load %own : !llvm.ptr -> i32
          %sum = arith.addi %a, %b : i32
          llvm.store %sum, %own : i32, !llvm.ptr
        }
        %next = arith.addi %step, %step : i32
        scf.yield %next : i32
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
// CHECK:      } do {
// CHECK:      "unwarp.barrier"() {level = "warp"}
// CHECK-NEXT: scf.if
// CHECK:      llvm.load
// CHECK-NOT:  unwarp.barrier
// CHECK:      llvm.load
// CHECK:      "unwarp.barrier"() {level = "warp"}
// CHECK-NEXT: llvm.store
// CHECK-NOT:  unwarp.barrier
