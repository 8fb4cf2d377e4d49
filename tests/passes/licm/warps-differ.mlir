// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --licm{scope=phase} %s | FileCheck %s

// In each of these the loop over warps keeps its slot, and what fills it.
// It depends on the warp.
// CHECK-LABEL: func.func @of_the_warp
// CHECK: scf.forall {{.*}} {{to|in}} (%c16)
// CHECK: "unwarp.slot"
// CHECK: mapping = [#gpu.lane<x>]
// CHECK: mapping = [#gpu.warp<x>]
// Lanes wrote before where it reads.
// CHECK-LABEL: func.func @written
// CHECK: scf.forall {{.*}} {{to|in}} (%c16)
// CHECK: "unwarp.slot"
// CHECK: mapping = [#gpu.lane<x>]
// CHECK: mapping = [#gpu.warp<x>]
// An atomic operation is made by each warp.
// CHECK-LABEL: func.func @atomic
// CHECK: scf.forall {{.*}} {{to|in}} (%c16)
// CHECK: "unwarp.slot"
// CHECK: mapping = [#gpu.lane<x>]
// CHECK: mapping = [#gpu.warp<x>]
// A second writer of the slot depends on the warp.
// CHECK-LABEL: func.func @filled_again
// CHECK: scf.forall {{.*}} {{to|in}} (%c16)
// CHECK: "unwarp.slot"
// CHECK: mapping = [#gpu.lane<x>]
// CHECK: mapping = [#gpu.warp<x>]
// What stays reads the slot between its two writers.
// CHECK-LABEL: func.func @read_between
// CHECK: scf.forall {{.*}} {{to|in}} (%c16)
// CHECK: "unwarp.slot"
// CHECK: mapping = [#gpu.lane<x>]
// CHECK: mapping = [#gpu.warp<x>]
// A call gets the slot, and may write there.
// CHECK-LABEL: func.func @given_away
// CHECK: scf.forall {{.*}} {{to|in}} (%c16)
// CHECK: "unwarp.slot"
// CHECK: mapping = [#gpu.lane<x>]
// CHECK: mapping = [#gpu.warp<x>]
llvm.func @keep(!llvm.ptr)
func.func @of_the_warp(%in: !llvm.ptr, %out: !llvm.ptr, %v0: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %bytes = arith.constant 128 : i64
  scf.forall (%b) in (%c1) {
    scf.forall (%w) in (%c16) {
      %slot = "unwarp.slot"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
      scf.forall (%l) in (%c32) {
        %i = arith.index_cast %l : index to i64
        %at = arith.addi %w, %l : index
        %j = arith.index_cast %at : index to i64
        %p = llvm.getelementptr %in[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %s = llvm.getelementptr %slot[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %s : f32, !llvm.ptr
      } {mapping = [#gpu.lane<x>]}
      %lanes0 = llvm.load %slot {alignment = 4 : i64} : !llvm.ptr -> vector<32xf32>
      %w0 = arith.index_cast %w : index to i64
      %o0 = llvm.getelementptr %out[%w0] : (!llvm.ptr, i64) -> !llvm.ptr, vector<32xf32>
      llvm.store %lanes0, %o0 {alignment = 4 : i64} : vector<32xf32>, !llvm.ptr
    } {mapping = [#gpu.warp<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @written(%in: !llvm.ptr, %out: !llvm.ptr, %v0: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %bytes = arith.constant 128 : i64
  scf.forall (%b) in (%c1) {
    scf.forall (%w) in (%c16) {
      %slot = "unwarp.slot"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
      scf.forall (%l) in (%c32) {
        %i = arith.index_cast %l : index to i64
        %at = arith.addi %w, %l : index
        %j = arith.index_cast %at : index to i64
        %s = llvm.getelementptr %in[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v0, %s : f32, !llvm.ptr
      } {mapping = [#gpu.lane<x>]}
      scf.forall (%l) in (%c32) {
        %i = arith.index_cast %l : index to i64
        %p = llvm.getelementptr %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %s = llvm.getelementptr %slot[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %s : f32, !llvm.ptr
      } {mapping = [#gpu.lane<x>]}
      %lanes0 = llvm.load %slot {alignment = 4 : i64} : !llvm.ptr -> vector<32xf32>
      %w0 = arith.index_cast %w : index to i64
      %o0 = llvm.getelementptr %out[%w0] : (!llvm.ptr, i64) -> !llvm.ptr, vector<32xf32>
      llvm.store %lanes0, %o0 {alignment = 4 : i64} : vector<32xf32>, !llvm.ptr
    } {mapping = [#gpu.warp<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @atomic(%in: !llvm.ptr, %out: !llvm.ptr, %v0: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %bytes = arith.constant 128 : i64
  scf.forall (%b) in (%c1) {
    scf.forall (%w) in (%c16) {
      %slot = "unwarp.slot"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
      scf.forall (%l) in (%c32) {
        %i = arith.index_cast %l : index to i64
        %v = llvm.atomicrmw fadd %in, %v0 monotonic : !llvm.ptr, f32
        %s = llvm.getelementptr %slot[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %s : f32, !llvm.ptr
      } {mapping = [#gpu.lane<x>]}
      %lanes0 = llvm.load %slot {alignment = 4 : i64} : !llvm.ptr -> vector<32xf32>
      %w0 = arith.index_cast %w : index to i64
      %o0 = llvm.getelementptr %out[%w0] : (!llvm.ptr, i64) -> !llvm.ptr, vector<32xf32>
      llvm.store %lanes0, %o0 {alignment = 4 : i64} : vector<32xf32>, !llvm.ptr
    } {mapping = [#gpu.warp<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @filled_again(%in: !llvm.ptr, %out: !llvm.ptr, %v0: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %bytes = arith.constant 128 : i64
  scf.forall (%b) in (%c1) {
    scf.forall (%w) in (%c16) {
      %slot = "unwarp.slot"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
      scf.forall (%l) in (%c32) {
        %i = arith.index_cast %l : index to i64
        %s = llvm.getelementptr %slot[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v0, %s : f32, !llvm.ptr
      } {mapping = [#gpu.lane<x>]}
      scf.forall (%l) in (%c32) {
        %i = arith.index_cast %l : index to i64
        %at = arith.addi %w, %l : index
        %j = arith.index_cast %at : index to i64
        %p = llvm.getelementptr %in[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %s = llvm.getelementptr %slot[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %s : f32, !llvm.ptr
      } {mapping = [#gpu.lane<x>]}
      %lanes0 = llvm.load %slot {alignment = 4 : i64} : !llvm.ptr -> vector<32xf32>
      %w0 = arith.index_cast %w : index to i64
      %o0 = llvm.getelementptr %out[%w0] : (!llvm.ptr, i64) -> !llvm.ptr, vector<32xf32>
      llvm.store %lanes0, %o0 {alignment = 4 : i64} : vector<32xf32>, !llvm.ptr
    } {mapping = [#gpu.warp<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @read_between(%in: !llvm.ptr, %out: !llvm.ptr, %v0: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %bytes = arith.constant 128 : i64
  scf.forall (%b) in (%c1) {
    scf.forall (%w) in (%c16) {
      %slot = "unwarp.slot"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
      scf.forall (%l) in (%c32) {
        %i = arith.index_cast %l : index to i64
        %s = llvm.getelementptr %slot[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v0, %s : f32, !llvm.ptr
      } {mapping = [#gpu.lane<x>]}
      %lanes0 = llvm.load %slot {alignment = 4 : i64} : !llvm.ptr -> vector<32xf32>
      %w0 = arith.index_cast %w : index to i64
      %o0 = llvm.getelementptr %out[%w0] : (!llvm.ptr, i64) -> !llvm.ptr, vector<32xf32>
      llvm.store %lanes0, %o0 {alignment = 4 : i64} : vector<32xf32>, !llvm.ptr
      scf.forall (%l) in (%c32) {
        %i = arith.index_cast %l : index to i64
        %p = llvm.getelementptr %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %s = llvm.getelementptr %slot[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %s : f32, !llvm.ptr
      } {mapping = [#gpu.lane<x>]}
      %lanes1 = llvm.load %slot {alignment = 4 : i64} : !llvm.ptr -> vector<32xf32>
      %w1 = arith.index_cast %w : index to i64
      %o1 = llvm.getelementptr %out[%w1] : (!llvm.ptr, i64) -> !llvm.ptr, vector<32xf32>
      llvm.store %lanes1, %o1 {alignment = 4 : i64} : vector<32xf32>, !llvm.ptr
    } {mapping = [#gpu.warp<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @given_away(%in: !llvm.ptr, %out: !llvm.ptr, %v0: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %bytes = arith.constant 128 : i64
  scf.forall (%b) in (%c1) {
    scf.forall (%w) in (%c16) {
      %slot = "unwarp.slot"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
      scf.forall (%l) in (%c32) {
        %i = arith.index_cast %l : index to i64
        %p = llvm.getelementptr %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %s = llvm.getelementptr %slot[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %s : f32, !llvm.ptr
      } {mapping = [#gpu.lane<x>]}
      llvm.call @keep(%slot) : (!llvm.ptr) -> ()
      %lanes0 = llvm.load %slot {alignment = 4 : i64} : !llvm.ptr -> vector<32xf32>
      %w0 = arith.index_cast %w : index to i64
      %o0 = llvm.getelementptr %out[%w0] : (!llvm.ptr, i64) -> !llvm.ptr, vector<32xf32>
      llvm.store %lanes0, %o0 {alignment = 4 : i64} : vector<32xf32>, !llvm.ptr
    } {mapping = [#gpu.warp<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
