// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum in memory is a carried value before barriers are lowered.
// RUN: %unwarp_opt --scalar-replace %s | FileCheck %s
// RUN: %unwarp_opt --scalar-replace --scalar-replace %s | FileCheck %s

// The pointers may meet, which is asked once, in front of the blocks, and with it whether there are iterations.
// CHECK-LABEL: @asked(
// CHECK:       llvm.ptrtoint
// CHECK:       %[[RUNS:.*]] = arith.cmpi slt, %c0{{.*}}, %arg0
// CHECK:       arith.andi {{.*}}%[[RUNS]]
// CHECK:       scf.if
// CHECK:         scf.forall
// CHECK:           scf.forall
// CHECK:             %[[SUM:.*]] = scf.for {{.*}} iter_args
// CHECK-NOT:           llvm.store
// CHECK:             llvm.store %[[SUM]]
// CHECK:       } else {
// CHECK:         scf.forall
// CHECK:           scf.for %
// CHECK:             llvm.store
// CHECK:       return
func.func @asked(%n: i32, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.extsi %n : i32 to i64
  scf.forall (%block) in (%c64) {
    %row = arith.index_cast %block : index to i64
    scf.forall (%t) in (%c64) {
      %own = arith.index_cast %t : index to i64
      %first = arith.muli %row, %width overflow<nsw> : i64
      %at = arith.addi %first, %own overflow<nsw> : i64
      %p = llvm.getelementptr %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      scf.for %k = %zero to %n step %one : i32 {
        %k64 = arith.extsi %k : i32 to i64
        %q = llvm.getelementptr %in[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %x = llvm.load %p : !llvm.ptr -> f32
        %y = llvm.load %q : !llvm.ptr -> f32
        %sum = arith.addf %x, %y : f32
        llvm.store %sum, %p : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Shared memory meets nothing else: no version. Two locations, one of them under a condition; a thread without iterations
// touches neither, and what else the loop carries it yields as it was.
// CHECK-LABEL: @apart(
// CHECK-NOT:   llvm.ptrtoint
// CHECK:       unwarp.barrier
// CHECK:       %[[SOME:.*]] = arith.cmpi slt
// CHECK:       scf.if %[[SOME]]
// CHECK:         llvm.load
// CHECK:         llvm.load
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           scf.if
// CHECK-NOT:         llvm.store
// CHECK:       } else {
// CHECK:         scf.yield %c0_i64 : i64
// CHECK-NEXT:  }
// CHECK:       return
func.func @apart(%n: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %bytes = arith.constant 512 : i64
  %none = arith.constant 0 : i64
  %step = arith.constant 3 : i64
  %zero = arith.constant 0.0 : f32
  scf.forall (%block) in (%c64) {
    %tile = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%t) in (%c64) {
      %own = arith.index_castui %t : index to i64
      %p = llvm.getelementptr %tile[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %r = llvm.getelementptr %p[64] : (!llvm.ptr) -> !llvm.ptr, f32
      llvm.store %zero, %r : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %last = scf.for %k = %c0 to %n step %c1 iter_args(%carried = %none) -> (i64) {
        %k64 = arith.index_castui %k : index to i64
        %q = llvm.getelementptr %in[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %y = llvm.load %q : !llvm.ptr -> f32
        %x = llvm.load %p : !llvm.ptr -> f32
        %sum = arith.addf %x, %y : f32
        llvm.store %sum, %p : f32, !llvm.ptr
        %other = llvm.load %r : !llvm.ptr -> f32
        %positive = arith.cmpf ogt, %y, %zero : f32
        scf.if %positive {
          %more = arith.addf %other, %y : f32
          llvm.store %more, %r : f32, !llvm.ptr
        }
        %next = arith.addi %carried, %step : i64
        scf.yield %next : i64
      }
      %end = llvm.getelementptr %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      llvm.store %last, %end : i64, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
