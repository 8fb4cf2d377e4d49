// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --privatize-atomics %s | FileCheck %s
// RUN: %unwarp_opt --privatize-atomics --privatize-atomics %s | FileCheck %s

// Blocks add their sums to those of the grid: a tally of 128 values. What is loaded before may lie anywhere.
// CHECK-LABEL: func.func @totals
// CHECK: scf.forall
// CHECK: %[[OWN:.*]] = "unwarp.tally"(%arg1) {bits = 32 : i64, bytes = 512 : i64, kind = 1 : i64}
// CHECK-NOT: unwarp.tally
// CHECK: llvm.load
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[OWN]][
// CHECK: llvm.atomicrmw add %[[AT]]
func.func @totals(%blocks: index, %total: !llvm.ptr, %values: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i64
      %from = llvm.getelementptr %values[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %x = llvm.load %from : !llvm.ptr -> i32
      %to = llvm.getelementptr %total[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old = llvm.atomicrmw add %to, %x monotonic : !llvm.ptr, i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Bins chosen by bytes, by a remainder and by a mask; subtractions count as additions.
// CHECK-LABEL: func.func @bins
// CHECK-DAG: "unwarp.tally"(%arg1) {bits = 32 : i64, bytes = 1024 : i64, kind = 1 : i64}
// CHECK-DAG: "unwarp.tally"(%arg2) {bits = 64 : i64, bytes = 80 : i64, kind = 9 : i64}
func.func @bins(%blocks: index, %bins: !llvm.ptr, %most: !llvm.ptr, %text: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i64
  %low = arith.constant 63 : i64
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c32) {
      %i = arith.index_cast %t : index to i64
      %from = llvm.getelementptr %text[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %byte = llvm.load %from : !llvm.ptr -> i8
      %bin = arith.extui %byte : i8 to i64
      %to = llvm.getelementptr %bins[%bin] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old = llvm.atomicrmw add %to, %one monotonic {unwarp.restrict = 1 : i64} : !llvm.ptr, i32
      %masked = arith.andi %i, %low : i64
      %again = llvm.getelementptr %bins[%masked] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old2 = llvm.atomicrmw sub %again, %one monotonic {unwarp.restrict = 1 : i64} : !llvm.ptr, i32
      %rest = arith.remui %bin, %ten : i64
      %place = llvm.getelementptr %most[%rest] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %old3 = llvm.atomicrmw umax %place, %bin monotonic {unwarp.restrict = 2 : i64} : !llvm.ptr, i64
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// A loop of the block over all bins, as stride and tighten leave it; what is added to addresses that are not known may be among them.
// CHECK-LABEL: func.func @strided
// CHECK: "unwarp.tally"(%arg1) {bits = 32 : i64, bytes = 1024 : i64, kind = 1 : i64}
// CHECK-NOT: unwarp.tally
// CHECK: llvm.getelementptr %arg2
func.func @strided(%blocks: index, %bins: !llvm.ptr, %other: !llvm.ptr, %threads: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.for %base = %c0 to %c256 step %threads {
      %left = arith.subi %c256, %base : index
      %here = arith.minsi %threads, %left : index
      scf.forall (%t) in (%here) {
        %k = arith.addi %base, %t : index
        %i = arith.index_cast %k : index to i64
        %to = llvm.getelementptr %bins[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %old = llvm.atomicrmw add %to, %one monotonic : !llvm.ptr, i32
      } {mapping = [#gpu.thread<x>]}
    }
    %bi = arith.index_cast %b : index to i64
    %far = llvm.getelementptr %other[%bi] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %old2 = llvm.atomicrmw add %far, %one monotonic : !llvm.ptr, i32
  } {mapping = [#gpu.block<x>]}
  return
}
