// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile with a halo: the first threads load its left part too, the last ones its right part. Which threads are both is known when it
// runs: where less than half of the row is in the middle, all of it runs as it was, and is no fall-back.
// RUN: %unwarp_opt --split-borders %s | FileCheck %s
// RUN: %unwarp_opt --split-borders %s > %t.once
// RUN: %unwarp_opt --split-borders %t.once | diff %t.once -

// CHECK-LABEL: func.func @halo
// CHECK: %[[LENGTH:.*]] = arith.subi %arg0, %c0
// CHECK: %[[MIDDLE:.*]] = arith.subi %[[HIGH:[0-9]+]], %[[LOW:[0-9]+]] : index
// CHECK: %[[TWICE:.*]] = arith.muli %[[MIDDLE]], %c2
// CHECK: %[[PAYS:.*]] = arith.cmpi sge, %[[TWICE]], %[[LENGTH]]
// CHECK: scf.if %[[PAYS]]
// CHECK: scf.forall (%{{.*}}) = (%[[LOW]]) to (%[[HIGH]])
// CHECK: scf.for
// CHECK: unwarp.fallback
// CHECK: } else {
// CHECK: scf.forall (%{{.*}}) in (%arg0)
// CHECK-NOT: unwarp.fallback
// CHECK: return
func.func @halo(%width: index, %radius: i32, %in: !llvm.ptr, %tile: !llvm.ptr) {
  %w = arith.index_castui %width : index to i32
  %last = arith.subi %w, %radius overflow<nsw> : i32
  scf.forall (%x) in (%width) {
    %xi = arith.index_castui %x : index to i32
    %from = llvm.getelementptr %in[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %v = llvm.load %from : !llvm.ptr -> f32
    %first = arith.cmpi slt, %xi, %radius : i32
    scf.if %first {
      %to = llvm.getelementptr %tile[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %v, %to : f32, !llvm.ptr
    }
    %ends = arith.cmpi sge, %xi, %last : i32
    scf.if %ends {
      %by = arith.addi %xi, %radius overflow<nsw> : i32
      %to = llvm.getelementptr %tile[%by] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %v, %to : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
