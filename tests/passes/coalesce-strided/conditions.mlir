// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whiles whose condition is not that a counter, stepped by the same in all threads, is below a bound.
// RUN: %unwarp_opt --coalesce-strided %s | FileCheck %s
// CHECK-NOT: unwarp.barrier

// The condition also stores.
func.func @effect_before(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr, %starts: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %last = llvm.getelementptr %starts[%ti] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %r = scf.while (%i = %ti) : (i32) -> i32 {
      llvm.store %i, %last : i32, !llvm.ptr
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

// A thread goes on until it hits the bound, if it ever does, or as long as it is there.
func.func @until_hit(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %r = scf.while (%i = %ti) : (i32) -> i32 {
      %more = arith.cmpi ne, %i, %n : i32
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

func.func @while_there(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %r = scf.while (%i = %ti) : (i32) -> i32 {
      %more = arith.cmpi eq, %i, %n : i32
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

// What is carried decides.
func.func @flag(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %yes = arith.constant true
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %r:2 = scf.while (%i = %ti, %go = %yes) : (i32, i1) -> (i32, i1) {
      scf.condition(%go) %i, %go : i32, i1
    } do {
    ^bb0(%i: i32, %go: i1):
      %at = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %at : i32, !llvm.ptr
      %j = arith.addi %i, %stride : i32
      %more = arith.cmpi slt, %j, %n : i32
      scf.yield %j, %more : i32, i1
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// The bound comes nearer.
func.func @own_limit(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %r:2 = scf.while (%i = %ti, %limit = %n) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi slt, %i, %limit : i32
      scf.condition(%more) %i, %limit : i32, i32
    } do {
    ^bb0(%i: i32, %limit: i32):
      %at = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %at : i32, !llvm.ptr
      %j = arith.addi %i, %stride : i32
      %nearer = arith.subi %limit, %stride : i32
      scf.yield %j, %nearer : i32, i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// What the condition hands on is not what the loop carries: more, or in another order.
func.func @more(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %r:2 = scf.while (%i = %ti) : (i32) -> (i32, i32) {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i, %n : i32, i32
    } do {
    ^bb0(%i: i32, %s: i32):
      %at = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %s, %at : i32, !llvm.ptr
      %j = arith.addi %i, %stride : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @other_order(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %r:3 = scf.while (%i = %ti, %a = %n, %b = %stride) : (i32, i32, i32) -> (i32, i32, i32) {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i, %b, %a : i32, i32, i32
    } do {
    ^bb0(%i: i32, %a: i32, %b: i32):
      %at = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %a, %at : i32, !llvm.ptr
      %j = arith.addi %i, %stride : i32
      scf.yield %j, %a, %b : i32, i32, i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
