// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters that are not stepped by the same positive value in all threads and rounds.
// RUN: %unwarp_opt --coalesce-strided %s | FileCheck %s
// CHECK-NOT: unwarp.barrier

// By a factor.
func.func @doubled(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %r = scf.while (%i = %ti) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %at : i32, !llvm.ptr
      %j = arith.muli %i, %stride : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// To a value that does not follow from where it was.
func.func @not_from_itself(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %r = scf.while (%i = %ti) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %at : i32, !llvm.ptr
      %j = arith.addi %n, %stride : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// Each thread by a value of its own.
func.func @own_step(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %step = arith.addi %ti, %stride : i32
    %r = scf.while (%i = %ti) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %at : i32, !llvm.ptr
      %j = arith.addi %i, %step : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// Computed in each iteration.
func.func @computed_step(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %r = scf.while (%i = %ti) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %at : i32, !llvm.ptr
      %step = arith.addi %stride, %n : i32
      %j = arith.addi %i, %step : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// Downwards.
func.func @down(%threads: index, %n: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %minus = arith.constant -32 : i32
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %r = scf.while (%i = %ti) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %at : i32, !llvm.ptr
      %j = arith.addi %i, %minus : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// Without sign, by a value from anywhere: it may be one that counts down until it passes 0.
func.func @down_perhaps(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %r = scf.while (%i = %ti) : (i32) -> i32 {
      %more = arith.cmpi ult, %i, %n : i32
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
