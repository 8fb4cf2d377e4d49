// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops that count.
// RUN: %unwarp_opt --while-to-for %s | FileCheck %s
// RUN: %unwarp_opt --while-to-for --while-to-for %s | FileCheck %s

func.func private @use(i32)

func.func @less(%start: i32, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
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

// CHECK-LABEL: @less(
// CHECK-NOT:   scf.while
// CHECK:       scf.for %{{.*}} = %{{.*}} to %{{.*}} step

func.func @less_unsigned(%start: i32, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %more = arith.cmpi ult, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %step : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: @less_unsigned(
// CHECK-NOT:   scf.while
// CHECK:       scf.for unsigned

func.func @by_four(%start: i32, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 4 : i32
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

// CHECK-LABEL: @by_four(
// CHECK-NOT:   scf.while
// CHECK:       scf.for %

func.func @stride(%start: i32, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %s overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: @stride(
// CHECK-NOT:   scf.while
// CHECK:       scf.for %{{.*}} = %{{.*}} to %{{.*}} step %arg2

func.func @up_to(%start: i32, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %more = arith.cmpi sle, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %step overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: @up_to(
// CHECK-NOT:   scf.while
// CHECK:       arith.addi %arg1
// CHECK:       scf.for %

func.func @up_to_constant(%start: i32, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %last = arith.constant 9 : i32
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

// CHECK-LABEL: @up_to_constant(
// CHECK-NOT:   scf.while
// CHECK:       scf.for %

func.func @until_from_zero(%start: i32, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  scf.while (%i = %zero) : (i32) -> i32 {
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

// CHECK-LABEL: @until_from_zero(
// CHECK-NOT:   scf.while
// CHECK:       scf.for unsigned

func.func @down(%start: i32, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant -1 : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %more = arith.cmpi sgt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %step : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: @down(
// CHECK-NOT:   scf.while
// CHECK:       arith.cmpi sgt, %arg0, %arg1
// CHECK:       arith.subi %arg0, %arg1
// CHECK:       %[[TRIPS:.*]] = arith.select
// CHECK:       scf.for unsigned %[[K:.*]] = %{{.*}} to %[[TRIPS]]
// CHECK:       arith.muli %[[K]]
// CHECK:       %[[I:.*]] = arith.addi %arg0
// CHECK:       call @use(%[[I]])

func.func @down_to_zero(%start: i32, %n: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant -1 : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %more = arith.cmpi ne, %i, %zero : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %step : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: @down_to_zero(
// CHECK-NOT:   scf.while
// CHECK:       scf.for unsigned
