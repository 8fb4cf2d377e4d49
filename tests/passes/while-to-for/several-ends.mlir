// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that end for several reasons.
// RUN: %unwarp_opt --while-to-for %s > %t.once
// RUN: FileCheck %s < %t.once
// RUN: %unwarp_opt --while-to-for --while-to-for %s | diff %t.once -

func.func private @use(i32)

func.func @least(%start: i32, %n: i32, %m: i32, %a: i32, %p: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %thirty = arith.constant 30 : i32
  %false = arith.constant false
  %sum = arith.addi %a, %n overflow<nsw> : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %c1 = arith.cmpi slt, %i, %n : i32
    %c2 = arith.cmpi sle, %i, %m : i32
    %more = arith.andi %c1, %c2 : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %one overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: @least(
// CHECK-NOT:   scf.while
// CHECK-DAG:   %[[N:.*]] = arith.extsi %arg1 : i32 to i64
// CHECK-DAG:   %[[M:.*]] = arith.extsi %arg2 : i32 to i64
// CHECK:       %[[NEXT:.*]] = arith.addi %[[M]], %{{.*}} : i64
// CHECK:       arith.minsi %[[N]], %[[NEXT]]
// CHECK:       %[[END:.*]] = arith.trunci
// CHECK:       scf.for %{{.*}} = %arg0 to %[[END]] step

func.func @sum_below_known_end(%start: i32, %n: i32, %m: i32, %a: i32, %p: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %thirty = arith.constant 30 : i32
  %false = arith.constant false
  %sum = arith.addi %a, %n overflow<nsw> : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %c1 = arith.cmpi ult, %i, %thirty : i32
    %s = arith.addi %a, %i overflow<nsw> : i32
    %c2 = arith.cmpi slt, %s, %m : i32
    %more = arith.select %c1, %c2, %false : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %four overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: @sum_below_known_end(
// CHECK-NOT:   scf.while
// CHECK:       %[[LEFT:.*]] = arith.subi %{{.*}}, %{{.*}} : i64
// CHECK:       %[[LEAST:.*]] = arith.minsi %{{.*}}, %[[LEFT]]
// CHECK:       arith.maxsi %[[LEAST]], %{{.*}}
// CHECK:       scf.for unsigned %{{.*}} = %arg0 to %{{.*}} step

func.func @no_sign_from_zero(%start: i32, %n: i32, %m: i32, %a: i32, %p: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %thirty = arith.constant 30 : i32
  %false = arith.constant false
  %sum = arith.addi %a, %n overflow<nsw> : i32
  scf.while (%i = %zero) : (i32) -> i32 {
    %c1 = arith.cmpi slt, %i, %n : i32
    %c2 = arith.cmpi ult, %i, %m : i32
    %more = arith.select %c1, %c2, %false : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %one overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: @no_sign_from_zero(
// CHECK-NOT:   scf.while
// CHECK:       arith.extui %arg2
// CHECK:       scf.for %{{.*}} = %{{.*}} to

func.func @asked_once(%start: i32, %n: i32, %m: i32, %a: i32, %p: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %thirty = arith.constant 30 : i32
  %false = arith.constant false
  %sum = arith.addi %a, %n overflow<nsw> : i32
  scf.while (%i = %start) : (i32) -> i32 {
    %c1 = arith.cmpi slt, %i, %n : i32
    %more = arith.select %c1, %p, %false : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %one overflow<nsw> : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: @asked_once(
// CHECK-NOT:   scf.while
// CHECK:       scf.if %arg4 {
// CHECK:         scf.for %{{.*}} = %arg0 to %arg1 step

func.func @seen_after(%start: i32, %n: i32, %p: i1) -> i32 {
  %one = arith.constant 1 : i32
  %r = scf.while (%i = %start) : (i32) -> i32 {
    %c1 = arith.cmpi slt, %i, %n : i32
    %more = arith.andi %p, %c1 : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %next = arith.addi %i, %one overflow<nsw> : i32
    scf.yield %next : i32
  }
  return %r : i32
}

// CHECK-LABEL: @seen_after(
// CHECK:       %[[R:.*]] = scf.if %arg2 -> (i32) {
// CHECK:         %[[LAST:.*]] = scf.for %
// CHECK:         scf.yield %[[LAST]] : i32
// CHECK:       } else {
// CHECK:         scf.yield %arg0 : i32
// CHECK:       return %[[R]]
