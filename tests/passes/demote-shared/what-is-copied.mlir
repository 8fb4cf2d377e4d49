// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile stays where it is not, or not in all of its elements, a copy of what the kernel only reads.
// RUN: %unwarp_opt --demote-shared %s | FileCheck %s

// What is stored is not what was loaded.
// CHECK-LABEL: @computed(
// CHECK:       unwarp.shared
func.func @computed(%g: !llvm.ptr, %out: !llvm.ptr) {
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
    %twice = arith.addf %x, %x : f32
    llvm.store %twice, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %own : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// A second store puts there what is no copy.
// CHECK-LABEL: @overwritten(
// CHECK:       unwarp.shared
func.func @overwritten(%g: !llvm.ptr, %out: !llvm.ptr) {
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
    %twice = arith.addf %x, %x : f32
    llvm.store %twice, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %own : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The original was loaded before the launch, and is written since.
// CHECK-LABEL: @loaded_before(
// CHECK:       unwarp.shared
func.func @loaded_before(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  %x = llvm.load %g {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
  %zero = arith.constant 0.0 : f32
  llvm.store %zero, %g : f32, !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %own : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The address in the original is loaded from memory.
// CHECK-LABEL: @gathered(
// CHECK:       unwarp.shared
func.func @gathered(%g: !llvm.ptr, %out: !llvm.ptr, %indices: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %entry = llvm.getelementptr %indices[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %index = llvm.load %entry {unwarp.restrict = 3 : i64} : !llvm.ptr -> i32
    %from = llvm.getelementptr %g[%index] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %s : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The address in the original is loaded where only the thread that copies comes by.
// CHECK-LABEL: @loaded_in_a_branch(
// CHECK:       unwarp.shared
func.func @loaded_in_a_branch(%g: !llvm.ptr, %out: !llvm.ptr, %indices: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %is = arith.cmpi eq, %t, %c0 : index
    scf.if %is {
      %index = llvm.load %indices {unwarp.restrict = 3 : i64} : !llvm.ptr -> i32
      %from = llvm.getelementptr %g[%index] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %s : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %s : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// An atomic operation changes what was copied.
// CHECK-LABEL: @added_to(
// CHECK:       unwarp.shared
func.func @added_to(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %counted = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %place = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %place : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %old = llvm.atomicrmw fadd %counted, %x monotonic : !llvm.ptr, f32
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %place : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The second store overwrites every second element of the first.
// CHECK-LABEL: @overwritten_in_part(
// CHECK:       unwarp.shared
func.func @overwritten_in_part(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    %after = llvm.getelementptr %from[32] : (!llvm.ptr) -> !llvm.ptr, f32
    %later = llvm.load %after {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    %pair = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x f32>
    %odd = llvm.getelementptr %pair[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %place = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %place : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    llvm.store %later, %odd : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %place : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The second store reaches into the next element, where the first one stored.
// CHECK-LABEL: @overwritten_by_the_next(
// CHECK:       unwarp.shared
func.func @overwritten_by_the_next(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(264 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %pair = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x f32>
    %second = llvm.getelementptr %pair[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %original = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x f32>
    %x = llvm.load %original {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    %z = llvm.load %original {alignment = 4 : i64, unwarp.restrict = 1 : i64} : !llvm.ptr -> i64
    llvm.store %x, %pair : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    llvm.store %z, %second {alignment = 4 : i64} : i64, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %pair : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
