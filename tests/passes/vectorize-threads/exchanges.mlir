// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of a warp that pass on values among them are not taken 16 at a time.
// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s
// CHECK-NOT: vector

func.func @passed_on(%n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.sitofp %ti : i64 to f32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) {
      %next = arith.mulf %s, %s : f32
      scf.yield %next : f32
    }
    %up = arith.constant 1 : i32
    %all = arith.constant true
    %other = "unwarp.shuffle"(%sum, %up, %all) : (f32, i32, i1) -> f32
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %other, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.lane<x>]}
  return
}
