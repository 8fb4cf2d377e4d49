// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of 7 threads may have lanes in two warps: these run in step, too. In rows of 8 none does.
// RUN: %unwarp_opt --sync-warps %s | FileCheck %s
// RUN: sed 's/constant 7/constant 8/' %s | %unwarp_opt --sync-warps | FileCheck %s --check-prefix=WHOLE
// CHECK:       llvm.load
// CHECK-NEXT:  llvm.load
// CHECK-NEXT:  unwarp.barrier"() {level = "block"}
// CHECK-NEXT:  llvm.store
// WHOLE:       unwarp.barrier"() {level = "warp"}
func.func @neighbours() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %length = arith.constant 7 : index
  %rows = arith.constant 6 : index
  %bytes = arith.constant 4096 : i64
  scf.forall (%block) in (%c1) {
    %tile = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%y, %x) in (%rows, %length) {
      %start = arith.muli %y, %length : index
      %sum = arith.addi %start, %x : index
      %i = arith.index_castui %sum : index to i64
      %own = llvm.getelementptr inbounds %tile[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %right = llvm.getelementptr inbounds %own[4] : (!llvm.ptr) -> !llvm.ptr, i8
      %a = llvm.load %own : !llvm.ptr -> i32
      %b = llvm.load %right : !llvm.ptr -> i32
      llvm.store %b, %own : i32, !llvm.ptr
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
