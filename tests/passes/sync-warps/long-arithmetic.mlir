// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic that only makes what is stored, however long, is not gone through: what lanes exchange after it is still seen.
// RUN: %unwarp_opt --sync-warps %s | FileCheck %s
func.func @kernel(%out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %many = arith.constant 4000 : index
  %factor = arith.constant 3.0 : f32
  %bytes = arith.constant 512 : i64
  scf.forall (%block) in (%c64) {
    %tile = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%i) in (%c64) {
      %t = arith.index_castui %i : index to i32
      %wide = arith.extui %t : i32 to i64
      %start = arith.uitofp %t : i32 to f32
      %worked = scf.for %iteration = %c0 to %many step %c1 iter_args(%x = %start) -> (f32) {
        %a = arith.mulf %x, %factor : f32
        %b = arith.addf %a, %x : f32
        %c = arith.mulf %b, %b : f32
        %d = arith.addf %c, %start : f32
        %e = arith.mulf %d, %factor : f32
        %f = arith.addf %e, %start : f32
        scf.yield %f : f32
      }
      %own = llvm.getelementptr inbounds %tile[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %worked, %own : f32, !llvm.ptr
      %next = llvm.getelementptr inbounds %own[4] : (!llvm.ptr) -> !llvm.ptr, i8
      %read = llvm.load %next : !llvm.ptr -> f32
      %result = llvm.getelementptr inbounds %out[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %read, %result : f32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
// CHECK:      llvm.store
// CHECK:      "unwarp.barrier"() {level = "warp"}
// CHECK-NEXT: llvm.load
