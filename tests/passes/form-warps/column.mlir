// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of one column: the index of a thread is its y, with no division. Whole warps have a loop of their own, without asking whether
// they lie in one row.
// RUN: %unwarp_opt --form-warps --simplify %s | FileCheck %s

// CHECK-LABEL: func.func @column
// CHECK-NOT: arith.remui
// CHECK: %[[WHOLE:.*]] = arith.divui %arg0, %c32
// CHECK-NEXT: scf.forall (%[[WARP:.*]]) in (%[[WHOLE]])
// CHECK-NEXT: %[[FIRST:.*]] = arith.muli %[[WARP]], %c32
// CHECK-NEXT: scf.forall (%[[LANE:.*]]) in (32)
// CHECK-NEXT: %[[Y:.*]] = arith.addi %[[FIRST]], %[[LANE]]
// CHECK-NEXT: %[[ROW:.*]] = arith.index_cast %[[Y]]
// CHECK-NEXT: llvm.getelementptr %arg1[%[[ROW]]]
// CHECK: mapping = [#gpu.lane<x>]
// CHECK: unwarp.runs_seldom
func.func @column(%rows: index, %p: !llvm.ptr) {
  %one = arith.constant 1 : index
  scf.forall (%z, %y, %x) in (%one, %rows, %one) {
    %row = arith.index_cast %y : index to i64
    %at = llvm.getelementptr %p[%row] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %v = llvm.load %at : !llvm.ptr -> i32
    "unwarp.barrier"() {level = "warp"} : () -> ()
    llvm.store %v, %p : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
