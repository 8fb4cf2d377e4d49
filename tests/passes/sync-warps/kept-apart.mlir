// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No two lanes meet: a condition keeps what is stored apart from what is loaded, a barrier or a vote stands between, a stride of two
// leaves the addresses in between, each thread has an address of its own; two shared arrays are two.
// RUN: %unwarp_opt --sync-warps %s | FileCheck %s
// CHECK-NOT: unwarp.barrier"() {level = "warp"}
func.func @tree(%n: index, %half: i32, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %bytes = arith.constant 4096 : i64
  scf.forall (%block) in (%c1) {
    %tile = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    %odd = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%i) in (%n) {
      %t = arith.index_castui %i : index to i32
      %wide = arith.extui %t : i32 to i64
      %own = llvm.getelementptr inbounds %tile[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %t, %own : i32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %low = arith.cmpi ult, %t, %half : i32
      scf.if %low {
        %right = arith.addi %t, %half : i32
        %wide_right = arith.extui %right : i32 to i64
        %other = llvm.getelementptr inbounds %tile[%wide_right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %a = llvm.load volatile %other : !llvm.ptr -> i32
        %b = llvm.load volatile %own : !llvm.ptr -> i32
        %sum = arith.addi %a, %b : i32
        llvm.store volatile %sum, %own : i32, !llvm.ptr
      }
      %twin = llvm.getelementptr inbounds %odd[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %next = llvm.getelementptr inbounds %twin[4] : (!llvm.ptr) -> !llvm.ptr, i8
      %bit = arith.andi %t, %one : i32
      %even = arith.cmpi eq, %bit, %zero : i32
      scf.if %even {
        %x = llvm.load volatile %next : !llvm.ptr -> i32
        llvm.store volatile %x, %twin : i32, !llvm.ptr
      }
      %vote = "unwarp.reduce"(%t, %true) {level = "warp", kind = "or"} : (i32, i1) -> i32
      %y = llvm.load volatile %next : !llvm.ptr -> i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
