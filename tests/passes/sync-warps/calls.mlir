// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call may do anywhere in an array that it is handed what its function does there: the lanes that go on with the array wait
// for those that still write it. What it only reads is no reason, nor what is the thread's own.
// RUN: %unwarp_opt --sync-warps %s | FileCheck %s
llvm.func @write(%data: !llvm.ptr, %at: i64, %value: i32) attributes {passthrough = ["noinline"]} {
  %place = llvm.getelementptr inbounds %data[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %value, %place : i32, !llvm.ptr
  llvm.return
}
llvm.func @read(%data: !llvm.ptr, %at: i64) -> i32 attributes {passthrough = ["noinline"]} {
  %place = llvm.getelementptr inbounds %data[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %value = llvm.load %place : !llvm.ptr -> i32
  llvm.return %value : i32
}
// CHECK-LABEL: func.func @kernel
func.func @kernel(%data: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %bytes = arith.constant 256 : i64
  scf.forall (%block) in (%c8) {
    %tile = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%x) in (%c64) {
      %thread = arith.index_cast %x : index to i64
      %number = arith.trunci %thread : i64 to i32
      %own = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
      llvm.call @write(%own, %thread, %number) : (!llvm.ptr, i64, i32) -> ()
      %kept = llvm.load %own : !llvm.ptr -> i32
      // CHECK:      llvm.load
      // CHECK-NEXT: llvm.call @write
      llvm.call @write(%tile, %thread, %kept) : (!llvm.ptr, i64, i32) -> ()
      // CHECK-NEXT: barrier{{.*}}"warp"
      // CHECK-NEXT: llvm.call @read
      // CHECK-NEXT: llvm.call @read
      %a = llvm.call @read(%tile, %thread) : (!llvm.ptr, i64) -> i32
      %b = llvm.call @read(%tile, %thread) : (!llvm.ptr, i64) -> i32
      %sum = arith.addi %a, %b : i32
      // CHECK:      barrier{{.*}}"warp"
      // CHECK-NEXT: llvm.call @write
      llvm.call @write(%tile, %thread, %sum) : (!llvm.ptr, i64, i32) -> ()
      // CHECK-NOT:  barrier
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
