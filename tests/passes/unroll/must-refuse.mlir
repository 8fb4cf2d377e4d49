// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that stay: the rounds are not known, there are too many, there is no barrier, or nothing is gained.
// RUN: %unwarp_opt --unroll %s | FileCheck %s

func.func private @use(i32)

// CHECK-LABEL: @unknown_start(
// CHECK:       scf.while
func.func @unknown_start(%n: index, %start: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.parallel (%t) = (%c0) to (%n) step (%c1) {
    scf.while (%s = %start) : (i32) -> i32 {
      %more = arith.cmpi sgt, %s, %zero : i32
      scf.condition(%more) %s : i32
    } do {
    ^bb0(%s: i32):
      "unwarp.barrier"() {level = "block"} : () -> ()
      %half = arith.shrsi %s, %one : i32
      scf.yield %half : i32
    }
    scf.reduce
  } {unwarp.level = "block"}
  return
}

// The first rounds are known, but what is loaded ends the loop.
// CHECK-LABEL: @loaded(
// CHECK:       scf.while
func.func @loaded(%n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.parallel (%t) = (%c0) to (%n) step (%c1) {
    scf.while (%s = %one) : (i32) -> i32 {
      %more = arith.cmpi sgt, %s, %zero : i32
      scf.condition(%more) %s : i32
    } do {
    ^bb0(%s: i32):
      "unwarp.barrier"() {level = "block"} : () -> ()
      %next = llvm.load %p : !llvm.ptr -> i32
      scf.yield %next : i32
    }
    scf.reduce
  } {unwarp.level = "block"}
  return
}

// CHECK-LABEL: @endless(
// CHECK:       scf.while
func.func @endless(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %one = arith.constant 1 : i32
  scf.parallel (%t) = (%c0) to (%n) step (%c1) {
    scf.while (%s = %one) : (i32) -> i32 {
      scf.condition(%true) %s : i32
    } do {
    ^bb0(%s: i32):
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %s : i32
    }
    scf.reduce
  } {unwarp.level = "block"}
  return
}

// CHECK-LABEL: @long(
// CHECK:       scf.for
func.func @long(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c65 = arith.constant 65 : index
  scf.parallel (%t) = (%c0) to (%n) step (%c1) {
    scf.for %i = %c0 to %c65 step %c1 {
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
    scf.reduce
  } {unwarp.level = "block"}
  return
}

// CHECK-LABEL: @plain(
// CHECK:       scf.for
func.func @plain(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i32
  scf.parallel (%t) = (%c0) to (%n) step (%c1) {
    scf.for %i = %c0 to %c2 step %c1 {
      func.call @use(%one) : (i32) -> ()
    }
    scf.reduce
  } {unwarp.level = "block"}
  return
}

// The rounds step what is the same for all threads.
// CHECK-LABEL: @uniform(
// CHECK:       scf.for
func.func @uniform(%n: index, %from: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.parallel (%t) = (%c0) to (%n) step (%c1) {
    scf.for %i = %c0 to %c3 step %c1 {
      %box = arith.addi %from, %i : index
      %own = arith.addi %box, %t : index
      %k = arith.index_cast %own : index to i32
      func.call @use(%k) : (i32) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
    scf.reduce
  } {unwarp.level = "block"}
  return
}

// A loop in the body stays.
// CHECK-LABEL: @inner(
// CHECK:       scf.for
// CHECK:       scf.for
func.func @inner(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.parallel (%t) = (%c0) to (%n) step (%c1) {
    scf.for %i = %c0 to %c3 step %c1 {
      %own = arith.addi %t, %i : index
      %k = arith.index_cast %own : index to i32
      scf.for %j = %c0 to %m step %c1 {
        func.call @use(%k) : (i32) -> ()
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
    scf.reduce
  } {unwarp.level = "block"}
  return
}
