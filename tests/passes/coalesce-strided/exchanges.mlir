// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that wait for each other, or pass on values, in the loop stay in the while.
// RUN: %unwarp_opt --coalesce-strided %s | FileCheck %s
// RUN: %unwarp_opt --coalesce-strided{scope=lanes} %s | FileCheck %s

// CHECK-LABEL: func.func @waiting
// CHECK: scf.while
func.func @waiting(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %r = scf.while (%i = %ti) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      "unwarp.barrier"() {level = "block"} : () -> ()
      %at = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %at : i32, !llvm.ptr
      %j = arith.addi %i, %stride : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @passing_on
// CHECK: scf.while
func.func @passing_on(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %all = arith.constant true
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %r = scf.while (%i = %ti) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %other = "unwarp.shuffle"(%i, %one, %all) : (i32, i32, i1) -> i32
      %at = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %other, %at : i32, !llvm.ptr
      %j = arith.addi %i, %stride : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.lane<x>]}
  return
}
