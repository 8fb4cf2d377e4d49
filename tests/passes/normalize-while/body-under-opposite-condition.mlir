// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form in which lifted loops come: the body stands in the arm that goes on, the other arm yields what is used after the loop.
// RUN: %unwarp_opt --normalize-while %s | FileCheck %s
// RUN: %unwarp_opt --normalize-while %s > %t.once
// RUN: %unwarp_opt --normalize-while --normalize-while %s | diff %t.once -

func.func @kernel(%n: i32, %x0: f32, %y: f32) -> (i32, f32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.while (%i = %n, %x = %x0) : (i32, f32) -> (i32, f32) {
    %half = arith.shrui %i, %one : i32
    %stop = arith.cmpi eq, %half, %zero : i32
    %more = arith.cmpi ne, %half, %zero : i32
    %c = scf.if %stop -> (f32) {
      %neg = arith.negf %x : f32
      scf.yield %neg : f32
    } else {
      %z = func.call @body(%x, %half) : (f32, i32) -> f32
      scf.yield %z : f32
    }
    %d = arith.addf %c, %y : f32
    scf.condition(%more) %half, %d : i32, f32
  } do {
  ^bb0(%i: i32, %x: f32):
    scf.yield %i, %x : i32, f32
  }
  return %r#0, %r#1 : i32, f32
}
func.func private @body(f32, i32) -> f32

// CHECK:      %[[R:.*]]:{{.*}} = scf.while (%[[I:.*]] = %arg0, %[[X:.*]] = %arg1)
// CHECK:        %[[HALF:.*]] = arith.shrui %[[I]]
// CHECK:        %[[MORE:.*]] = arith.cmpi ne, %[[HALF]]
// CHECK:        %[[NEG:.*]] = arith.negf %[[X]]
// CHECK:        %[[LEFT:.*]] = arith.addf %[[NEG]], %arg2
// CHECK:        scf.condition(%[[MORE]]) %[[HALF]], %[[LEFT]], %{{.*}}, %{{.*}}
// CHECK:      do
// CHECK:        %[[Z:.*]] = func.call @body
// CHECK-NEXT:   %[[NEXT:.*]] = arith.addf %[[Z]], %arg2
// CHECK-NEXT:   scf.yield %{{.*}}, %[[NEXT]]
// CHECK:      return %[[R]]#0, %[[R]]#1
