// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --lower-barriers %s | FileCheck %s

// What the lanes compute together: their values go to slots, one call for the warp stands between the loops, and each
// lane reads its results. Two whose values are there share the split; one that needs their results has its own.

llvm.func @uwrt_warp_mma_f64_1(!llvm.ptr, !llvm.ptr)

// CHECK-LABEL: func.func @two_and_one
// CHECK: scf.forall
// CHECK-COUNT-4: llvm.store %{{.*}} : i64, !llvm.ptr
// CHECK: mapping = [#gpu.lane<x>]
// CHECK-NEXT: llvm.call @uwrt_warp_mma_f64_1
// CHECK-NEXT: llvm.call @uwrt_warp_mma_f64_1
// CHECK: scf.forall
// CHECK: mapping = [#gpu.lane<x>]
// CHECK-NEXT: llvm.call @uwrt_warp_mma_f64_1
// CHECK-NOT: llvm.call
// CHECK: scf.forall
// CHECK: llvm.store
// CHECK-NOT: unwarp.collective
func.func @two_and_one(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.forall (%b) in (%c1) {
    scf.forall (%l) in (%c32) {
      %true = arith.constant true
      %at = arith.index_cast %l : index to i64
      %own = llvm.getelementptr %p[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %v = llvm.load %own : !llvm.ptr -> i64
      %a:2 = "unwarp.collective"(%true, %v, %at) {callee = @uwrt_warp_mma_f64_1} : (i1, i64, i64) -> (i64, i64)
      %c:2 = "unwarp.collective"(%true, %at, %v) {callee = @uwrt_warp_mma_f64_1} : (i1, i64, i64) -> (i64, i64)
      %d:2 = "unwarp.collective"(%true, %a#1, %c#0) {callee = @uwrt_warp_mma_f64_1} : (i1, i64, i64) -> (i64, i64)
      llvm.store %d#1, %own : i64, !llvm.ptr
    } {mapping = [#gpu.lane<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
