// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --licm{scope=while} %s | FileCheck %s

// A bound in constant memory, which the kernel does not write through a pointer that it loaded from there either.

llvm.mlir.global external @extent() {addr_space = 0 : i32} : i32
llvm.mlir.global external @target() {addr_space = 0 : i32} : !llvm.ptr

// CHECK-LABEL: func.func @constant
// CHECK: llvm.load %{{.*}} {unwarp.readonly} : !llvm.ptr -> i32
// CHECK: scf.while
// CHECK-NOT: llvm.load
// CHECK: do
func.func @constant(%threads: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %end = llvm.mlir.addressof @extent : !llvm.ptr
  %target = llvm.mlir.addressof @target : !llvm.ptr
  scf.forall (%t) in (%threads) {
    %start = arith.index_cast %t : index to i32
    %r = scf.while (%k = %start) : (i32) -> i32 {
      %n = llvm.load %end {unwarp.readonly} : !llvm.ptr -> i32
      %more = arith.cmpi slt, %k, %n : i32
      scf.condition(%more) %k : i32
    } do {
    ^bb0(%k: i32):
      %out = llvm.load %target {unwarp.readonly} : !llvm.ptr -> !llvm.ptr
      %place = llvm.getelementptr %out[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %k, %place : i32, !llvm.ptr
      %j = arith.addi %k, %one : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// A variable that the kernel writes by its name all the same.

// CHECK-LABEL: func.func @written
// CHECK: scf.while
// CHECK: llvm.load
// CHECK: do
func.func @written(%threads: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %end = llvm.mlir.addressof @extent : !llvm.ptr
  scf.forall (%t) in (%threads) {
    %start = arith.index_cast %t : index to i32
    %r = scf.while (%k = %start) : (i32) -> i32 {
      %n = llvm.load %end {unwarp.readonly} : !llvm.ptr -> i32
      %more = arith.cmpi slt, %k, %n : i32
      scf.condition(%more) %k : i32
    } do {
    ^bb0(%k: i32):
      llvm.store %k, %end : i32, !llvm.ptr
      %j = arith.addi %k, %one : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
