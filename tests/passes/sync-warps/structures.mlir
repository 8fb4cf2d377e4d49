// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A structure handed on by one copy: it is loaded by all lanes before one stores. The copy to an address of its own stays.
// RUN: %unwarp_opt --sync-warps %s | FileCheck %s
func.func @kernel(%out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = arith.constant 1024 : i64
  %size = arith.constant 12 : i64
  scf.forall (%block) in (%c32) {
    %tile = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%i) in (%c32) {
      %t = arith.index_cast %i : index to i64
      %own = llvm.getelementptr inbounds %tile[%t] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<12 x i8>
      %next = llvm.getelementptr inbounds %own[12] : (!llvm.ptr) -> !llvm.ptr, i8
      %mine = llvm.getelementptr inbounds %out[%t] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<12 x i8>
      "llvm.intr.memcpy"(%own, %next, %size) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
      "llvm.intr.memcpy"(%mine, %own, %size) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
// CHECK:     llvm.load {{.*}} -> i64
// CHECK:     llvm.load {{.*}} -> i32
// CHECK:     "unwarp.barrier"() {level = "warp"}
// CHECK:     llvm.store {{.*}} : i64
// CHECK:     llvm.store {{.*}} : i32
// CHECK-NOT: unwarp.barrier
// CHECK:     llvm.intr.memcpy
