// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --check-ends{scope=block} %s | FileCheck %s

// The barriers before and behind a loop over threads are told once for all; one of a part of the block is not.

// CHECK-LABEL: func.func @ends
// CHECK: llvm.call @__unwarp_check_row_pass(
// CHECK: scf.forall
// CHECK-NOT: __unwarp_check_pass
// CHECK: llvm.call @__unwarp_check_load4(
// CHECK-NOT: __unwarp_check_arrive
// CHECK: mapping = [#gpu.thread<
// CHECK: llvm.call @uwrt_check_row_arrives(

// CHECK: scf.forall
// CHECK: llvm.call @__unwarp_check_load4(
// CHECK: llvm.call @__unwarp_check_pass(
// CHECK: llvm.call @__unwarp_check_arrive(
// CHECK: mapping = [#gpu.thread<
llvm.func @__unwarp_check_pass(!llvm.ptr, i32, i32, i32)
llvm.func @__unwarp_check_arrive(!llvm.ptr, i32, i32, i32)
llvm.func @__unwarp_check_load4(!llvm.ptr, !llvm.ptr, i32, i32, i64)
func.func @ends(%state: !llvm.ptr, %a: !llvm.ptr, %ny: index, %nx: index, %site: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %block = arith.constant 0 : i32
  %part = arith.constant 2 : i32
  %zero = arith.constant 0 : i64
  scf.forall (%z, %y, %x) in (%c1, %ny, %nx) {
    %row = arith.muli %y, %nx : index
    %linear = arith.addi %row, %x : index
    %thread = arith.index_castui %linear : index to i32
    llvm.call @__unwarp_check_pass(%state, %site, %thread, %block) : (!llvm.ptr, i32, i32, i32) -> ()
    llvm.call @__unwarp_check_load4(%state, %a, %site, %thread, %zero) : (!llvm.ptr, !llvm.ptr, i32, i32, i64) -> ()
    llvm.call @__unwarp_check_arrive(%state, %site, %thread, %block) : (!llvm.ptr, i32, i32, i32) -> ()
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  scf.forall (%z, %y, %x) in (%c1, %ny, %nx) {
    %row = arith.muli %y, %nx : index
    %linear = arith.addi %row, %x : index
    %thread = arith.index_castui %linear : index to i32
    llvm.call @__unwarp_check_load4(%state, %a, %site, %thread, %zero) : (!llvm.ptr, !llvm.ptr, i32, i32, i64) -> ()
    llvm.call @__unwarp_check_pass(%state, %site, %thread, %block) : (!llvm.ptr, i32, i32, i32) -> ()
    llvm.call @__unwarp_check_arrive(%state, %site, %thread, %part) : (!llvm.ptr, i32, i32, i32) -> ()
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
