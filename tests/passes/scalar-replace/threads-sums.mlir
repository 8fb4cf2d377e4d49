// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A location in memory that a serial loop adds up in is a carried value.
// RUN: %unwarp_opt --scalar-replace{scope=lanes} %s | FileCheck %s
// RUN: %unwarp_opt --scalar-replace{scope=lanes} --scalar-replace{scope=lanes} %s | FileCheck %s

// In shared memory, with reads from elsewhere: nothing to ask but whether there is an iteration.
// CHECK-LABEL: @shared(
// CHECK:       %[[RUNS:.*]] = arith.cmpi slt, %c0{{.*}}, %arg0
// CHECK:       scf.if %[[RUNS]] {
// CHECK:         %[[START:.*]] = llvm.load
// CHECK:         %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[X:.*]] = %[[START]])
// CHECK:           llvm.load
// CHECK-NOT:       llvm.load
// CHECK-NOT:       llvm.store
// CHECK:           arith.addf %[[X]]
// CHECK:           scf.yield
// CHECK:         llvm.store %[[SUM]]
// CHECK-NOT:   scf.for %
func.func @shared(%n: index, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %bytes = arith.constant 256 : i64
  scf.forall (%block) in (%c64) {
    %tile = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%t) in (%c64) {
      %own = arith.index_castui %t : index to i64
      %p = llvm.getelementptr %tile[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      scf.for %k = %c0 to %n step %c1 {
        %k64 = arith.index_castui %k : index to i64
        %q = llvm.getelementptr %in[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %x = llvm.load %p : !llvm.ptr -> f32
        %y = llvm.load %q : !llvm.ptr -> f32
        %sum = arith.addf %x, %y : f32
        llvm.store %sum, %p : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Through two pointers: where the first and the last iteration read, against the location. What else the loop carries comes out of it.
// CHECK-LABEL: @asked(
// CHECK:       %[[R:.*]] = scf.if %{{.*}} -> (f32) {
// CHECK:         llvm.ptrtoint
// CHECK:         arith.minui
// CHECK:         arith.maxui
// CHECK:         %[[V:.*]] = scf.if %{{.*}} -> (f32) {
// CHECK:           %[[FOR:.*]]:2 = scf.for %
// CHECK:           llvm.store %[[FOR]]#1
// CHECK:           scf.yield %[[FOR]]#0
// CHECK:         } else {
// CHECK:           %[[OLD:.*]] = scf.for %
// CHECK:           scf.yield %[[OLD]]
// CHECK:         {unwarp.versions}
// CHECK:         scf.yield %[[V]]
// CHECK:       llvm.store %[[R]]
func.func @asked(%n: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (%c1) {
    %own = arith.index_castui %t : index to i64
    %p = llvm.getelementptr %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%c = %zero) -> f32 {
      %k64 = arith.index_castui %k : index to i64
      %q = llvm.getelementptr %in[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %x = llvm.load %p : !llvm.ptr -> f32
      %y = llvm.load %q : !llvm.ptr -> f32
      %sum = arith.addf %x, %y : f32
      llvm.store %sum, %p : f32, !llvm.ptr
      scf.yield %y : f32
    }
    llvm.store %last, %out : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
