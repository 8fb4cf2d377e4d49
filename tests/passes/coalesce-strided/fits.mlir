// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands for the counter of a strided loop is cut from an index, and said to be the same number: with sign if the
// loop compares with sign, else without. One of 64 bits needs no such word.
// RUN: %unwarp_opt --coalesce-strided %s | FileCheck %s
// RUN: %unwarp_opt --coalesce-strided --coalesce-strided %s | FileCheck %s

// CHECK-LABEL: func.func @with_sign
// CHECK: arith.index_cast %{{.*}} {unwarp.exact = "signed"} : index to i32
// CHECK-LABEL: func.func @without_sign
// CHECK: arith.index_cast %{{.*}} {unwarp.exact = "unsigned"} : index to i32
// CHECK-LABEL: func.func @of_64_bits
// CHECK: scf.if
// CHECK-NOT: unwarp.exact
func.func @with_sign(%threads: index, %base: i32, %n: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %stride = arith.constant 64 : i32
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %start = arith.addi %base, %ti overflow<nsw> : i32
    %r = scf.while (%i = %start) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %to = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
      %j = arith.addi %i, %stride overflow<nsw> : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @without_sign(%threads: index, %n: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %stride = arith.constant 64 : i32
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %r = scf.while (%i = %ti) : (i32) -> i32 {
      %more = arith.cmpi ult, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %to = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
      %j = arith.addi %i, %stride overflow<nuw> : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @of_64_bits(%threads: index, %n: i64, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %stride = arith.constant 64 : i64
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i64
    %r = scf.while (%i = %ti) : (i64) -> i64 {
      %more = arith.cmpi slt, %i, %n : i64
      scf.condition(%more) %i : i64
    } do {
    ^bb0(%i: i64):
      %to = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      llvm.store %i, %to : i64, !llvm.ptr
      %j = arith.addi %i, %stride overflow<nsw> : i64
      scf.yield %j : i64
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
