// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Else leaves the slot as it is, but does something of its own.
// RUN: %unwarp_opt --sink-stores %s | FileCheck %s

// CHECK-LABEL: func.func @else_stores
// CHECK: scf.if
// CHECK: } else {
// CHECK-NEXT: llvm.store %{{.*}}, %[[OUT:.*]] : f32
func.func @else_stores(%threads: index, %n: index, %x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %slot = "unwarp.slot"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %slot[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %out = llvm.getelementptr %q[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %old = llvm.load %own : !llvm.ptr -> f32
    %in = arith.cmpi slt, %t, %n : index
    %r = scf.if %in -> (f32) {
      %new = arith.addf %old, %x : f32
      scf.yield %new : f32
    } else {
      llvm.store %x, %out : f32, !llvm.ptr
      scf.yield %old : f32
    }
    llvm.store %r, %own : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
