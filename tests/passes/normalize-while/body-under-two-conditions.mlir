// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that is left for two reasons: its body stands under ifs in ifs, whose conditions together are the one with which it goes on.
// RUN: %unwarp_opt --normalize-while %s | FileCheck %s
// RUN: %unwarp_opt --normalize-while %s > %t.once
// RUN: %unwarp_opt --normalize-while --normalize-while %s | diff %t.once -

func.func @kernel(%start: i32, %n: i32, %p: i1) {
  %one = arith.constant 1 : i32
  %false = arith.constant false
  scf.while (%i = %start) : (i32) -> i32 {
    %c1 = arith.cmpi slt, %i, %n : i32
    %c2 = arith.cmpi ne, %i, %one : i32
    %first = arith.select %c1, %p, %false : i1
    %more = arith.andi %first, %c2 : i1
    %next = arith.addi %i, %one : i32
    scf.if %first {
      %twice = arith.addi %i, %i : i32
      scf.if %c2 {
        func.call @body(%twice) : (i32) -> ()
      }
    }
    scf.condition(%more) %next : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %i : i32
  }
  return
}
func.func private @body(i32)

// CHECK:      scf.while (%[[I:.*]] = %arg0)
// CHECK:        %[[MORE:.*]] = arith.andi
// CHECK-NOT:    scf.if
// CHECK:        scf.condition(%[[MORE]])
// CHECK:      do
// CHECK-NOT:    scf.if
// CHECK:        call @body
// CHECK:        scf.yield
