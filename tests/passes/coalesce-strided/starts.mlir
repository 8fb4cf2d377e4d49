// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts that do not count the threads upwards.
// RUN: %unwarp_opt --coalesce-strided %s | FileCheck %s
// CHECK-NOT: unwarp.barrier

// From the bound down, or by a factor of which the sign is not known.
func.func @downwards(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %start = arith.subi %n, %ti : i32
    %r = scf.while (%i = %start) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %at : i32, !llvm.ptr
      %j = arith.addi %i, %stride : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @by_stride(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %start = arith.muli %ti, %stride : i32
    %r = scf.while (%i = %start) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %at : i32, !llvm.ptr
      %j = arith.addi %i, %stride : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// From where each thread was told, or told how often.
func.func @own_base(%threads: index, %n: i32, %stride: i32, %bases: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %from = llvm.getelementptr %bases[%ti] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %base = llvm.load %from : !llvm.ptr -> i32
    %start = arith.addi %base, %ti : i32
    %r = scf.while (%i = %start) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %at : i32, !llvm.ptr
      %j = arith.addi %i, %stride : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @own_scale(%threads: index, %n: i32, %stride: i32, %bases: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %from = llvm.getelementptr %bases[%ti] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %times = llvm.load %from : !llvm.ptr -> i32
    %base = arith.muli %n, %times : i32
    %start = arith.addi %base, %ti : i32
    %r = scf.while (%i = %start) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %at : i32, !llvm.ptr
      %j = arith.addi %i, %stride : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
