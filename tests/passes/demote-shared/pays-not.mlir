// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile stays where it makes one dense piece of what lies far apart.
// RUN: %unwarp_opt --demote-shared %s | FileCheck %s

// Neighbouring threads would read the original backwards.
// CHECK-LABEL: @backwards(
// CHECK:       unwarp.shared
func.func @backwards(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %last = arith.constant 31 : i64
    %back = arith.subi %last, %ti : i64
    %at = llvm.getelementptr %s[%back] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %y = llvm.load %at : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The iterations of a loop would read a column of the original.
// CHECK-LABEL: @column(
// CHECK:       unwarp.shared
func.func @column(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<32 x f32>
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    scf.for %k = %c0 to %c32 step %c1 {
      %ki = arith.index_cast %k : index to i64
      %at = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %at : !llvm.ptr -> f32
      llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
