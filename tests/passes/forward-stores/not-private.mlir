// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared arrays that do not become private: a thread's addresses in them are not one window of their own, or a large one.
// RUN: %unwarp_opt --forward-stores %s | FileCheck %s

// Each thread has two elements, which a loop goes through again and again.
// CHECK-LABEL: @by_counter(
// CHECK:       unwarp.shared
func.func @by_counter(%x: f32, %n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %pair = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x f32>
    scf.for %i = %c0 to %n step %c1 {
      scf.for %k = %c0 to %c2 step %c1 {
        %ki = arith.index_castui %k : index to i64
        %at = llvm.getelementptr %pair[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %y = llvm.load %at : !llvm.ptr -> f32
        %z = arith.addf %y, %x : f32
        llvm.store %z, %at : f32, !llvm.ptr
        llvm.store %z, %to : f32, !llvm.ptr
      }
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// The address changes from iteration to iteration.
// CHECK-LABEL: @by_parity(
// CHECK:       unwarp.shared
func.func @by_parity(%x: f32, %n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %pair = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x f32>
    scf.for %i = %c0 to %n step %c1 {
      %odd = arith.andi %i, %c1 : index
      %oi = arith.index_castui %odd : index to i64
      %at = llvm.getelementptr %pair[%oi] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %later = arith.cmpi uge, %i, %c2 : index
      scf.if %later {
        %y = llvm.load %at : !llvm.ptr -> f32
        llvm.store %y, %to : f32, !llvm.ptr
      }
      llvm.store %x, %at : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// What is read lies twice as far from thread to thread as what is written.
// CHECK-LABEL: @other_stride(
// CHECK:       unwarp.shared
func.func @other_stride(%x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %pair = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x f32>
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %pair : !llvm.ptr -> f32
    llvm.store %y, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Each thread has an element in two rows, too far apart for private memory.
// CHECK-LABEL: @rows(
// CHECK:       unwarp.shared
func.func @rows(%x: f32, %n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(4096 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %row = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<32 x f32>
    %far = llvm.getelementptr %row[16] : (!llvm.ptr) -> !llvm.ptr, f32
    scf.for %k = %c0 to %n step %c1 {
      %y = llvm.load %row : !llvm.ptr -> f32
      %z = llvm.load %far : !llvm.ptr -> f32
      llvm.store %z, %to : f32, !llvm.ptr
      %sum = arith.addf %y, %z : f32
      llvm.store %sum, %far : f32, !llvm.ptr
      llvm.store %z, %row : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
