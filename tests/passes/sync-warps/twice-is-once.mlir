// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass run again finds its barriers. Rows of a plane of threads: a warp is two of them, and another thread's row is no neighbour.
// RUN: %unwarp_opt --sync-warps %s > %t.once
// RUN: %unwarp_opt --sync-warps --sync-warps %s > %t.twice
// RUN: diff %t.once %t.twice
// RUN: FileCheck %s < %t.once
func.func @kernel(%data: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %eight = arith.constant 8 : i64
  %wide_row = arith.constant 16 : i64
  %bytes = arith.constant 512 : i64
  scf.forall (%block) in (%c8) {
    %tile = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%y, %x) in (%c8, %c16) {
      %row = arith.index_cast %y : index to i64
      %column = arith.index_cast %x : index to i64
      %start = arith.muli %row, %wide_row : i64
      %place = arith.addi %start, %column : i64
      %own = llvm.getelementptr inbounds %tile[%place] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %low = arith.cmpi slt, %column, %eight : i64
      scf.if %low {
        %other = llvm.getelementptr inbounds %own[4] : (!llvm.ptr) -> !llvm.ptr, i8
        %a = llvm.load %other : !llvm.ptr -> i32
        llvm.store %a, %own : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
// CHECK:      llvm.load
// CHECK-NEXT: "unwarp.barrier"() {level = "warp"}
// CHECK-NEXT: llvm.store
// CHECK-NOT:  unwarp.barrier
