// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Must leave alone: ifs in ifs that ask for more, for less or for something else than the while, or that have something else to do.
// RUN: %unwarp_opt --normalize-while %s > %t
// RUN: %unwarp_opt %s | diff - %t

func.func @asks_for_more(%p: i1) {
  scf.while : () -> () {
    %c1 = func.call @more() : () -> i1
    %c2 = func.call @more() : () -> i1
    %more = arith.andi %c1, %c2 : i1
    scf.if %c1 {
      scf.if %p {
        scf.if %c2 {
          func.call @body() : () -> ()
        }
      }
    }
    scf.condition(%more)
  } do {
    scf.yield
  }
  return
}

func.func @asks_for_less(%p: i1) {
  scf.while : () -> () {
    %c1 = func.call @more() : () -> i1
    %c2 = func.call @more() : () -> i1
    %more = arith.andi %c1, %c2 : i1
    scf.if %c1 {
      func.call @body() : () -> ()
    }
    scf.condition(%more)
  } do {
    scf.yield
  }
  return
}

func.func @something_else(%p: i1) {
  scf.while : () -> () {
    %c1 = func.call @more() : () -> i1
    %c2 = func.call @more() : () -> i1
    %more = arith.andi %c1, %c2 : i1
    scf.if %c1 {
      scf.if %p {
        func.call @body() : () -> ()
      }
    }
    scf.condition(%more)
  } do {
    scf.yield
  }
  return
}

func.func @effect_outside(%p: i1) {
  scf.while : () -> () {
    %c1 = func.call @more() : () -> i1
    %c2 = func.call @more() : () -> i1
    %more = arith.andi %c1, %c2 : i1
    scf.if %c1 {
      scf.if %c2 {
        func.call @body() : () -> ()
      }
      func.call @body() : () -> ()
    }
    scf.condition(%more)
  } do {
    scf.yield
  }
  return
}

func.func @effect_otherwise(%p: i1) {
  scf.while : () -> () {
    %c1 = func.call @more() : () -> i1
    %c2 = func.call @more() : () -> i1
    %more = arith.andi %c1, %c2 : i1
    scf.if %c1 {
      scf.if %c2 {
        func.call @body() : () -> ()
      }
    } else {
      func.call @body() : () -> ()
    }
    scf.condition(%more)
  } do {
    scf.yield
  }
  return
}

func.func private @more() -> i1
func.func private @body()
