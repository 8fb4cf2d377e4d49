// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Must leave alone: an effect in the arm that leaves, a condition that is not the if's, an effect after the if.
// RUN: %unwarp_opt --normalize-while %s > %t
// RUN: %unwarp_opt %s | diff - %t

func.func @effect_in_arm(%p: i1) {
  scf.while : () -> () {
    %more = func.call @more() : () -> i1
    scf.if %more {
      func.call @body() : () -> ()
    } else {
      func.call @body() : () -> ()
    }
    scf.condition(%more)
  } do {
    scf.yield
  }
  return
}
func.func @other_condition(%p: i1) {
  scf.while : () -> () {
    %more = func.call @more() : () -> i1
    scf.if %p {
      func.call @body() : () -> ()
    }
    scf.condition(%more)
  } do {
    scf.yield
  }
  return
}
func.func @effect_after(%p: i1) {
  scf.while : () -> () {
    %more = func.call @more() : () -> i1
    scf.if %more {
      func.call @body() : () -> ()
    }
    func.call @body() : () -> ()
    scf.condition(%more)
  } do {
    scf.yield
  }
  return
}
func.func private @more() -> i1
func.func private @body()
