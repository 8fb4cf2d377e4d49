// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --licm{scope=while} %s | FileCheck %s

// A bound that the loop may write, a volatile one, one after a barrier, and a loop that does nothing but look stay as they are.

// CHECK-LABEL: func.func @written
// CHECK: scf.while
// CHECK: llvm.load
// CHECK: do
func.func @written(%threads: index, %end: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%threads) {
    %start = arith.index_cast %t : index to i32
    %r = scf.while (%k = %start) : (i32) -> i32 {
      %n = llvm.load %end : !llvm.ptr -> i32
      %more = arith.cmpi slt, %k, %n : i32
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

// CHECK-LABEL: func.func @volatile
// CHECK: scf.while
// CHECK: llvm.load volatile
// CHECK: do
func.func @volatile(%threads: index, %end: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%threads) {
    %start = arith.index_cast %t : index to i32
    %r = scf.while (%k = %start) : (i32) -> i32 {
      %n = llvm.load volatile %end : !llvm.ptr -> i32
      %more = arith.cmpi slt, %k, %n : i32
      scf.condition(%more) %k : i32
    } do {
    ^bb0(%k: i32):
      %j = arith.addi %k, %one : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @barrier
// CHECK: scf.while
// CHECK: llvm.load
// CHECK: do
func.func @barrier(%threads: index, %end: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%threads) {
    %r = scf.while (%k = %zero) : (i32) -> i32 {
      %n = llvm.load %end : !llvm.ptr -> i32
      %more = arith.cmpi slt, %k, %n : i32
      scf.condition(%more) %k : i32
    } do {
    ^bb0(%k: i32):
      "unwarp.barrier"() {level = "block"} : () -> ()
      %j = arith.addi %k, %one : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @looks
// CHECK: scf.while
// CHECK: llvm.load
// CHECK: do
func.func @looks(%threads: index, %flag: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  scf.forall (%t) in (%threads) {
    scf.while : () -> () {
      %n = llvm.load %flag : !llvm.ptr -> i32
      %more = arith.cmpi eq, %n, %zero : i32
      scf.condition(%more)
    } do {
      scf.yield
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// A division in the loop itself, which may have no iteration.
// CHECK-LABEL: func.func @division_inside
// CHECK: scf.while
// CHECK: do
// CHECK: arith.divsi
func.func @division_inside(%threads: index, %size: i32, %n: i32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %i = arith.index_cast %t : index to i32
    %last = scf.while (%k = %i) : (i32) -> i32 {
      %more = arith.cmpi slt, %k, %n : i32
      scf.condition(%more) %k : i32
    } do {
    ^bb0(%k: i32):
      %step = arith.divsi %n, %size : i32
      %place = llvm.getelementptr %out[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %step, %place : i32, !llvm.ptr
      %j = arith.addi %k, %step : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
