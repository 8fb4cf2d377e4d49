// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --tally %s | FileCheck %s
// RUN: %unwarp_opt --tally --tally %s | FileCheck %s

// Blocks add their sums to those of the grid: a tally of 128 values. What is loaded before may lie anywhere.
// CHECK-LABEL: func.func @totals
// CHECK: scf.parallel
// CHECK: %[[OWN:.*]] = "unwarp.tally"(%arg1) {bits = 32 : i64, bytes = 512 : i64, kind = 1 : i64}
// CHECK-NOT: unwarp.tally
// CHECK: llvm.load
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[OWN]][
// CHECK: llvm.atomicrmw add %[[AT]]
func.func @totals(%blocks: index, %total: !llvm.ptr, %values: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  scf.parallel (%b) = (%c0) to (%blocks) step (%c1) {
    scf.parallel (%t) = (%c0) to (%c128) step (%c1) {
      %i = arith.index_cast %t : index to i64
      %from = llvm.getelementptr %values[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %x = llvm.load %from : !llvm.ptr -> i32
      %to = llvm.getelementptr %total[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old = llvm.atomicrmw add %to, %x monotonic : !llvm.ptr, i32
      scf.reduce
    } {unwarp.level = "block"}
    scf.reduce
  } {unwarp.level = "grid"}
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
  scf.parallel (%b) = (%c0) to (%blocks) step (%c1) {
    scf.parallel (%t) = (%c0) to (%c32) step (%c1) {
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
      scf.reduce
    } {unwarp.level = "block"}
    scf.reduce
  } {unwarp.level = "grid"}
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
  scf.parallel (%b) = (%c0) to (%blocks) step (%c1) {
    scf.for %base = %c0 to %c256 step %threads {
      %left = arith.subi %c256, %base : index
      %here = arith.minsi %threads, %left : index
      scf.parallel (%t) = (%c0) to (%here) step (%c1) {
        %k = arith.addi %base, %t : index
        %i = arith.index_cast %k : index to i64
        %to = llvm.getelementptr %bins[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %old = llvm.atomicrmw add %to, %one monotonic : !llvm.ptr, i32
        scf.reduce
      } {unwarp.level = "block"}
    }
    %bi = arith.index_cast %b : index to i64
    %far = llvm.getelementptr %other[%bi] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %old2 = llvm.atomicrmw add %far, %one monotonic : !llvm.ptr, i32
    scf.reduce
  } {unwarp.level = "grid"}
  return
}
