// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --licm{scope=while} %s | FileCheck %s
// RUN: %unwarp_opt --licm{scope=while} --licm{scope=while} %s | FileCheck %s

// The end of a row, which the condition loads anew in each iteration, is loaded once.

// CHECK-LABEL: func.func @row
// CHECK: llvm.load
// CHECK: %[[END:.*]] = llvm.load
// CHECK: scf.while
// CHECK-NOT: llvm.load
// CHECK: arith.cmpi slt, %{{.*}}, %[[END]]
// CHECK: do
func.func @row(%threads: index, %rows: !llvm.ptr, %values: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (%threads) {
    %i = arith.index_cast %t : index to i64
    %at = llvm.getelementptr %rows[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %start = llvm.load %at : !llvm.ptr -> i32
    %sum:2 = scf.while (%s = %zero, %k = %start) : (f32, i32) -> (f32, i32) {
      %next = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, i32
      %end = llvm.load %next : !llvm.ptr -> i32
      %more = arith.cmpi slt, %k, %end : i32
      scf.condition(%more) %s, %k : f32, i32
    } do {
    ^bb0(%s: f32, %k: i32):
      %place = llvm.getelementptr %values[%k] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %v = llvm.load %place : !llvm.ptr -> f32
      %r = arith.addf %s, %v : f32
      %j = arith.addi %k, %one : i32
      scf.yield %r, %j : f32, i32
    }
    %own = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum#0, %own : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// So is the end of a thread's share, by a division of which nobody knows that it does not trap: the condition is asked once at least.

// CHECK-LABEL: func.func @share
// CHECK: %[[END:.*]] = arith.divsi %{{.*}}, %arg1
// CHECK: scf.while
// CHECK-NOT: arith.divsi
// CHECK: arith.cmpi slt, %{{.*}}, %[[END]]
// CHECK: do
func.func @share(%threads: index, %size: i32, %n: i32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  scf.forall (%t) in (%threads) {
    %i = arith.index_cast %t : index to i32
    %all = arith.muli %i, %n : i32
    %last = scf.while (%k = %zero) : (i32) -> i32 {
      %end = arith.divsi %all, %size : i32
      %more = arith.cmpi slt, %k, %end : i32
      scf.condition(%more) %k : i32
    } do {
    ^bb0(%k: i32):
      %place = llvm.getelementptr %out[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %k, %place : i32, !llvm.ptr
      %j = arith.addi %k, %one : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
