// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile goes where the thread that stored in an element is known all the same.
// RUN: %unwarp_opt --demote-shared %s | FileCheck %s

// Thread 0 in both dimensions copies, asked for with one comparison.
// CHECK-LABEL: @both_zero(
// CHECK-NOT:   unwarp.shared
// CHECK:       return
func.func @both_zero(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%y, %t) in (%c2, %c2) {
    %ti = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %both = arith.ori %y, %t : index
    %is = arith.cmpi eq, %both, %c0 : index
    scf.if %is {
      %x = llvm.load %g {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %s : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %v = llvm.load %s : !llvm.ptr -> f32
    llvm.store %v, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// Dimensions of one thread: the element does not depend on the first, and the second adds nothing to it.
// CHECK-LABEL: @of_one(
// CHECK-NOT:   unwarp.shared
// CHECK:       return
func.func @of_one(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%z, %y, %t) in (%c1, %c1, %c32) {
    %ti = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %index = arith.addi %y, %t : index
    %ii = arith.index_cast %index : index to i64
    %mine = llvm.getelementptr %s[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %mine : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    scf.for %k = %c0 to %c32 step %c1 {
      %ki = arith.index_cast %k : index to i64
      %at = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %at : !llvm.ptr -> f32
      llvm.store %v, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// The block's extent is not known, but the thread itself is there.
// CHECK-LABEL: @unknown_extent(
// CHECK-NOT:   unwarp.shared
// CHECK:       return
func.func @unknown_extent(%g: !llvm.ptr, %out: !llvm.ptr, %threads: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = llvm.mlir.constant(4096 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %own : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Rows of the original that lie far apart, of which each thread reads one element only.
// CHECK-LABEL: @far_rows(
// CHECK-NOT:   unwarp.shared
// CHECK:       return
func.func @far_rows(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(512 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%y, %t) in (%c4, %c32) {
    %ti = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %yi = arith.index_cast %y : index to i64
    %row = llvm.getelementptr %s[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<32 x f32>
    %mine = llvm.getelementptr %row[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %far = llvm.getelementptr %g[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4096 x f32>
    %from = llvm.getelementptr %far[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %mine : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %v = llvm.load %mine : !llvm.ptr -> f32
    llvm.store %v, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// One row only: nothing lies far apart.
// CHECK-LABEL: @one_row_far(
// CHECK-NOT:   unwarp.shared
// CHECK:       return
func.func @one_row_far(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%y, %t) in (%c1, %c32) {
    %ti = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %yi = arith.index_cast %y : index to i64
    %row = llvm.getelementptr %s[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<32 x f32>
    %mine = llvm.getelementptr %row[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %far = llvm.getelementptr %g[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4096 x f32>
    %from = llvm.getelementptr %far[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %mine : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    scf.for %k = %c0 to %c32 step %c1 {
      %ki = arith.index_cast %k : index to i64
      %at = llvm.getelementptr %row[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %at : !llvm.ptr -> f32
      llvm.store %v, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// Rows of the original that lie side by side.
// CHECK-LABEL: @near_rows(
// CHECK-NOT:   unwarp.shared
// CHECK:       return
func.func @near_rows(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(512 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%y, %t) in (%c4, %c32) {
    %ti = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %yi = arith.index_cast %y : index to i64
    %row = llvm.getelementptr %s[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<32 x f32>
    %mine = llvm.getelementptr %row[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %near = llvm.getelementptr %g[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<64 x f32>
    %from = llvm.getelementptr %near[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %mine : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    scf.for %k = %c0 to %c32 step %c1 {
      %ki = arith.index_cast %k : index to i64
      %at = llvm.getelementptr %row[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %at : !llvm.ptr -> f32
      llvm.store %v, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}
