// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --licm{scope=phase} %s | FileCheck %s
// RUN: %unwarp_opt --licm{scope=phase} %s >%t && %unwarp_opt --licm{scope=phase} %t | diff %t -

// All warps load and add up the same: that is done once, before them, with the slots of the lanes. What only keeps
// the sum for each thread is the sum.
// CHECK-LABEL: func.func @sum
// CHECK: %[[S:.*]] = "unwarp.slot"
// CHECK-NOT: "unwarp.slot"
// CHECK: scf.forall
// CHECK: llvm.load %{{.*}} -> f32
// CHECK: mapping = [#gpu.lane<x>]
// CHECK: llvm.load %[[S]] {{.*}} -> vector<32xf32>
// CHECK: %[[SUM:.*]] = llvm.extractelement
// CHECK-NOT: mapping = [#gpu.warp<x>]
// CHECK: scf.forall
// CHECK: llvm.store %[[SUM]]
// CHECK: mapping = [#gpu.thread<

// A slot that is filled in two steps goes along, with both.
// CHECK-LABEL: func.func @in_steps
// CHECK: mapping = [#gpu.lane<x>]
// CHECK: scf.for %
// CHECK: mapping = [#gpu.lane<x>]
// CHECK: llvm.load {{.*}} -> vector<32xf32>
// CHECK: scf.forall {{.*}} {{to|in}} (%c16)
func.func @sum(%in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c512 = arith.constant 512 : index
  %bytes = arith.constant 128 : i64
  %all = arith.constant 2048 : i64
  %zero = arith.constant 0 : i64
  scf.forall (%b) in (%c1) {
    %own = "unwarp.slot"(%all) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%w) in (%c16) {
      %first = arith.muli %w, %c32 : index
      %slot = "unwarp.slot"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
      scf.forall (%l) in (%c32) {
        %i = arith.index_cast %l : index to i64
        %p = llvm.getelementptr %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %s = llvm.getelementptr %slot[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %s : f32, !llvm.ptr
      } {mapping = [#gpu.lane<x>]}
      %lanes = llvm.load %slot {alignment = 4 : i64} : !llvm.ptr -> vector<32xf32>
      %sums = arith.addf %lanes, %lanes : vector<32xf32>
      %sum = llvm.extractelement %sums[%zero : i64] : vector<32xf32>
      scf.forall (%l) in (%c32) {
        %t = arith.addi %first, %l : index
        %i = arith.index_cast %t : index to i64
        %s = llvm.getelementptr %own[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %sum, %s : f32, !llvm.ptr
      } {mapping = [#gpu.lane<x>]}
    } {mapping = [#gpu.warp<x>]}
    scf.forall (%t) in (%c512) {
      %i = arith.index_cast %t : index to i64
      %s = llvm.getelementptr %own[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %s : !llvm.ptr -> f32
      %o = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %o : f32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @in_steps(%in: !llvm.ptr, %out: !llvm.ptr, %n: index, %v0: f32) {
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
      scf.for %k = %c0 to %n step %c32 {
        scf.forall (%l) in (%c32) {
          %i = arith.index_cast %l : index to i64
          %kl = arith.addi %k, %l : index
          %ki = arith.index_cast %kl : index to i64
          %p = llvm.getelementptr %in[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %v = llvm.load %p : !llvm.ptr -> f32
          %s = llvm.getelementptr %slot[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %old = llvm.load %s : !llvm.ptr -> f32
          %new = arith.addf %old, %v : f32
          llvm.store %new, %s : f32, !llvm.ptr
        } {mapping = [#gpu.lane<x>]}
      }
      %lanes = llvm.load %slot {alignment = 4 : i64} : !llvm.ptr -> vector<32xf32>
      %wi = arith.index_cast %w : index to i64
      %o = llvm.getelementptr %out[%wi] : (!llvm.ptr, i64) -> !llvm.ptr, vector<32xf32>
      llvm.store %lanes, %o {alignment = 4 : i64} : vector<32xf32>, !llvm.ptr
    } {mapping = [#gpu.warp<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
