// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops with barriers whose iterations can be counted are unrolled.
// RUN: %unwarp_opt --full-unroll --simplify{after=if-convert} %s | FileCheck %s
// RUN: %unwarp_opt --full-unroll --simplify{after=if-convert} --full-unroll %s | FileCheck %s

func.func private @use(i32, i32)
func.func private @use_in(index, i32, i32)

// A stride that halves; what is carried along, and what the loop leaves behind.
func.func @halving(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  scf.forall (%t) in (%n) {
    %r:2 = scf.while (%s = %four, %k = %one) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi sgt, %s, %zero : i32
      scf.condition(%more) %s, %k : i32, i32
    } do {
    ^bb0(%s: i32, %k: i32):
      func.call @use_in(%t, %s, %k) : (index, i32, i32) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
      %half = arith.shrsi %s, %one : i32
      %double = arith.addi %k, %k : i32
      scf.yield %half, %double : i32, i32
    }
    func.call @use(%r#0, %r#1) : (i32, i32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: @halving(
// CHECK-NOT:   scf.while
// CHECK:       func.call @use_in(%{{.*}}, %c4_i32, %c1_i32)
// CHECK:       unwarp.barrier
// CHECK:       func.call @use_in(%{{.*}}, %c2_i32, %c2_i32)
// CHECK:       unwarp.barrier
// CHECK:       func.call @use_in(%{{.*}}, %c1_i32, %c4_i32)
// CHECK:       unwarp.barrier
// CHECK:       func.call @use(%c0_i32, %c8_i32)
// CHECK-NOT:   unwarp.barrier
// CHECK:       } {mapping

// How often the inner loop runs is known in each iteration of the outer one only. The body stands before the test.
func.func @triangle(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%n) {
    scf.for %i = %c1 to %c3 step %c1 {
      %size = arith.index_cast %i : index to i32
      scf.while (%k = %one) : (i32) -> i32 {
        func.call @use_in(%t, %size, %k) : (index, i32, i32) -> ()
        "unwarp.barrier"() {level = "block"} : () -> ()
        %next = arith.addi %k, %one : i32
        %more = arith.cmpi sle, %next, %size : i32
        scf.condition(%more) %next : i32
      } do {
      ^bb0(%k: i32):
        scf.yield %k : i32
      }
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: @triangle(
// CHECK-NOT:   scf.for %
// CHECK:       func.call @use_in(%{{.*}}, %c1_i32, %c1_i32)
// CHECK:       func.call @use_in(%{{.*}}, %c2_i32, %c1_i32)
// CHECK:       func.call @use_in(%{{.*}}, %c2_i32, %c2_i32)
// CHECK-NOT:   func.call
// CHECK:       } {mapping

// No iteration at all.
func.func @never(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%n) {
    %r = scf.for %i = %c1 to %c1 step %c1 iter_args(%x = %one) -> i32 {
      "unwarp.barrier"() {level = "block"} : () -> ()
      %next = arith.addi %x, %one : i32
      scf.yield %next : i32
    }
    func.call @use(%r, %r) : (i32, i32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: @never(
// CHECK-NOT:   unwarp.barrier
// CHECK:       func.call @use(%c1_i32, %c1_i32)

// Lanes of a warp.
func.func @lanes(%n: index, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.forall (%t) in (%n) {
    scf.for %i = %c0 to %c2 step %c1 {
      %next = arith.addi %t, %i : index
      %k = arith.index_cast %next : index to i32
      func.call @use(%k, %v) : (i32, i32) -> ()
      "unwarp.barrier"() {level = "warp"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: @lanes(
// CHECK-COUNT-2: unwarp.barrier
// CHECK-NOT:   unwarp.barrier
