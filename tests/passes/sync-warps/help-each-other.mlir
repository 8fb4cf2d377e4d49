// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a loop that waits for what its threads write there themselves (raise/waiting_blocks.c) lanes are in step, and help each other along; not where it
// is written after the loop.
// RUN: %unwarp_opt --sync-warps %s | FileCheck %s
// RUN: sed 's/ {unwarp.in_step}//' %s | %unwarp_opt --sync-warps | FileCheck %s --check-prefix=SINGLY
// CHECK:      llvm.load volatile
// CHECK:      llvm.load volatile
// CHECK:      unwarp.barrier
// CHECK-NEXT: llvm.store volatile
// SINGLY-NOT: unwarp.barrier
llvm.func @uwrt_yield(!llvm.ptr)
func.func @labels(%place: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = arith.constant 132 : i64
  %true = arith.constant true
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  scf.forall (%i) in (%c32) {
    %t = arith.index_castui %i : index to i64
    %own = llvm.getelementptr inbounds %s[%t] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %right = llvm.getelementptr inbounds %own[4] : (!llvm.ptr) -> !llvm.ptr, i8
    scf.while (%again = %true) : (i1) -> () {
      scf.condition(%again)
    } do {
      llvm.call @uwrt_yield(%place) {unwarp.in_step} : (!llvm.ptr) -> ()
      %other = llvm.load volatile %right : !llvm.ptr -> i32
      %mine = llvm.load volatile %own : !llvm.ptr -> i32
      %less = arith.cmpi slt, %other, %mine : i32
      %least = arith.select %less, %other, %mine : i32
      llvm.store volatile %least, %own : i32, !llvm.ptr
      scf.yield %less : i1
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
