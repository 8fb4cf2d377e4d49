// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing shows that lanes keep apart where data says which element they reach: all load, then all store. In columns of
// their own they do not meet, whatever row data says.
// RUN: %unwarp_opt --sync-warps %s | FileCheck %s
// CHECK-LABEL: func.func @chosen
// CHECK:         unwarp.barrier"() {level = "block"}
// CHECK:         llvm.load %{{.*}} -> f32
// CHECK:         llvm.load %{{.*}} -> f32
// CHECK:         unwarp.barrier"() {level = "warp"}
// CHECK-NEXT:    llvm.store
func.func @chosen(%n: index, %places: !llvm.ptr, %skip: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %bytes = arith.constant 4096 : i64
  scf.forall (%block) in (%c1) {
    %tile = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%i) in (%n) {
      %t = arith.index_castui %i : index to i64
      %own = llvm.getelementptr inbounds %tile[%t] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      "unwarp.barrier"() {level = "block"} : () -> ()
      %flag = llvm.load %skip : !llvm.ptr -> i32
      %on = arith.cmpi eq, %flag, %zero : i32
      scf.if %on {
        %mine = llvm.load %own : !llvm.ptr -> f32
        %place = llvm.load %places : !llvm.ptr -> i32
        %wide = arith.extsi %place : i32 to i64
        %there = llvm.getelementptr inbounds %tile[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %by = llvm.load %there : !llvm.ptr -> f32
        %quotient = arith.divf %mine, %by : f32
        llvm.store %quotient, %own : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
// CHECK-LABEL: func.func @columns
// CHECK-NOT:     unwarp.barrier
// CHECK:         return
func.func @columns(%data: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %width = arith.constant 64 : i64
  %one = arith.constant 1 : i32
  %bytes = arith.constant 65536 : i64
  scf.forall (%block) in (%c1) {
    %counts = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%i) in (%c64) {
      %t = arith.index_castui %i : index to i64
      scf.for %k = %c0 to %c64 step %c1 {
        %at = llvm.getelementptr %data[%t] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %bin = llvm.load %at : !llvm.ptr -> i8
        %row = arith.extui %bin : i8 to i64
        %start = arith.muli %row, %width : i64
        %sum = arith.addi %start, %t : i64
        %count = llvm.getelementptr inbounds %counts[%sum] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %old = llvm.load %count : !llvm.ptr -> i32
        %new = arith.addi %old, %one : i32
        llvm.store %new, %count : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
