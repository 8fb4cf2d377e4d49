// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last iterations of a tree: all lanes load before one stores, and store before one loads what comes next. The block is known.
// RUN: %unwarp_opt --sync-warps %s | FileCheck %s
func.func @kernel(%out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %warp = arith.constant 32 : i32
  %bytes = arith.constant 256 : i64
  scf.forall (%block) in (%c64) {
    %tile = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%i) in (%c64) {
      %t = arith.index_castui %i : index to i32
      %wide = arith.extui %t : i32 to i64
      %own = llvm.getelementptr inbounds %tile[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %first = arith.cmpi ult, %t, %warp : i32
      scf.if %first {
        %at_2 = llvm.getelementptr inbounds %own[8] : (!llvm.ptr) -> !llvm.ptr, i8
        %at_1 = llvm.getelementptr inbounds %own[4] : (!llvm.ptr) -> !llvm.ptr, i8
        %far_2 = llvm.load volatile %at_2 : !llvm.ptr -> i32
        %near_2 = llvm.load volatile %own : !llvm.ptr -> i32
        %sum_2 = arith.addi %far_2, %near_2 : i32
        llvm.store volatile %sum_2, %own : i32, !llvm.ptr
        %far_1 = llvm.load volatile %at_1 : !llvm.ptr -> i32
        %near_1 = llvm.load volatile %own : !llvm.ptr -> i32
        %sum_1 = arith.addi %far_1, %near_1 : i32
        llvm.store volatile %sum_1, %own : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
// CHECK:      scf.if
// CHECK-NOT:  unwarp.barrier
// CHECK:      llvm.load volatile
// CHECK-NOT:  unwarp.barrier
// CHECK:      llvm.load volatile
// CHECK:      "unwarp.barrier"() {level = "warp"}
// CHECK-NEXT: llvm.store volatile
// CHECK:      "unwarp.barrier"() {level = "warp"}
// CHECK-NEXT: llvm.load volatile
// CHECK-NOT:  unwarp.barrier
// CHECK:      llvm.load volatile
// CHECK:      "unwarp.barrier"() {level = "warp"}
// CHECK-NEXT: llvm.store volatile
// CHECK-NOT:  unwarp.barrier
