// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is used after the loop: the counter with which it ends, a value that the condition's region computes from it.
// RUN: %unwarp_opt --while-to-for %s | FileCheck %s

func.func @kernel(%n: i32, %x0: f32) -> (i32, i32, f32) {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %one = arith.constant 1 : i32
  %r:3 = scf.while (%i = %zero, %x = %x0) : (i32, f32) -> (i32, i32, f32) {
    %more = arith.cmpi slt, %i, %n : i32
    %twice = arith.muli %i, %two : i32
    scf.condition(%more) %i, %twice, %x : i32, i32, f32
  } do {
  ^bb0(%i: i32, %twice: i32, %x: f32):
    %y = func.call @step(%x, %twice) : (f32, i32) -> f32
    %next = arith.addi %i, %one : i32
    scf.yield %next, %y : i32, f32
  }
  return %r#0, %r#1, %r#2 : i32, i32, f32
}
func.func private @step(f32, i32) -> f32

// CHECK:      %[[R:.*]]:2 = scf.for %[[I:.*]] = %{{.*}} to %arg0 step %{{.*}} iter_args(%{{.*}} = %{{.*}}, %[[X:.*]] = %arg1)
// CHECK:        %[[TWICE:.*]] = arith.muli %[[I]]
// CHECK:        call @step(%[[X]], %[[TWICE]])
// CHECK:      %[[END:.*]] = arith.muli %[[R]]#0
// CHECK:      return %[[R]]#0, %[[END]], %[[R]]#1
