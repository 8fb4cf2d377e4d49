// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Must leave alone: loops whose counter may wrap around, miss its end or is none.
// RUN: %unwarp_opt --while-to-for %s | FileCheck %s

func.func private @use(i32)

func.func @by_four_may_wrap(%start: i32, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 4 : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %step : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: @by_four_may_wrap(
// CHECK-NOT:   scf.for %
// CHECK:       scf.while

func.func @up_to_may_wrap(%start: i32, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %more = arith.cmpi sle, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %step : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: @up_to_may_wrap(
// CHECK-NOT:   scf.for %
// CHECK:       scf.while

func.func @up_to_largest(%start: i32, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %last = arith.constant 2147483647 : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %more = arith.cmpi sle, %i, %last : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %step : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: @up_to_largest(
// CHECK-NOT:   scf.for %
// CHECK:       scf.while

func.func @until_may_miss(%start: i32, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %more = arith.cmpi ne, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %step : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: @until_may_miss(
// CHECK-NOT:   scf.for %
// CHECK:       scf.while

func.func @until_by_two(%start: i32, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 2 : i32
  scf.while (%i = %zero) : (i32) -> i32 {
    %more = arith.cmpi ne, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %step overflow<nuw> : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: @until_by_two(
// CHECK-NOT:   scf.for %
// CHECK:       scf.while

func.func @stride_may_wrap(%start: i32, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %s : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: @stride_may_wrap(
// CHECK-NOT:   scf.for %
// CHECK:       scf.while

func.func @wrong_way(%start: i32, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant -1 : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %step overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: @wrong_way(
// CHECK-NOT:   scf.for %
// CHECK:       scf.while

func.func @stands_still(%start: i32, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 0 : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %step overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: @stands_still(
// CHECK-NOT:   scf.for %
// CHECK:       scf.while

func.func @at_least_unsigned_zero(%start: i32, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant -1 : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %more = arith.cmpi uge, %i, %zero : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %step : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: @at_least_unsigned_zero(
// CHECK-NOT:   scf.for %
// CHECK:       scf.while

func.func @not_a_sum(%start: i32, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.muli %i, %step : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: @not_a_sum(
// CHECK-NOT:   scf.for %
// CHECK:       scf.while
