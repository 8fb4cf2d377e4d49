// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters of loops and indices of threads.
// RUN: %unwarp_opt --print-analysis=bounds %s | FileCheck %s

// A thread's index is not below 0 and below 4096, a block's index may be as large as the grid is.
// CHECK-LABEL: bounds in @threads
// CHECK: extent %arg0: unknown
// CHECK-NEXT: counter %arg{{[0-9]+}}: at least 0
// CHECK: extent %arg1: unknown
// CHECK-NEXT: counter %arg{{[0-9]+}}: 0 to 4095
// CHECK: index %{{[0-9]+}}: 0 to 8190
func.func @threads(%blocks: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%n) {
      %twice = arith.muli %t, %c2 : index
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Whatever the step is, no counter wraps around, so that a counter that begins at 5 does not come below it.
// CHECK-LABEL: bounds in @iterations
// CHECK: extent %c100: 100 to 100
// CHECK-NEXT: counter %arg{{[0-9]+}}: 5 to 99
// CHECK: extent %arg0: unknown
// CHECK-NEXT: counter %arg{{[0-9]+}}: at least 5
func.func @iterations(%n: index, %step: index) {
  %c5 = arith.constant 5 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c5 to %c100 step %step {
  }
  scf.for %i = %c5 to %n step %step {
  }
  return
}

// Threads that run to what is left of a whole after the first one: none is outside of it. So the sum stays below 256.
// CHECK-LABEL: bounds in @remainder
// CHECK: counter %[[FIRST:arg[0-9]+]]: 0 to 255
// CHECK: index %{{[0-9]+}}: 1 to 256
// CHECK: extent %{{[0-9]+}}: 1 to 64
// CHECK-NEXT: counter %arg{{[0-9]+}}: 0 to 63
// CHECK-NEXT: index %{{[0-9]+}}: 0 to 255
func.func @remainder() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  scf.for %first = %c0 to %c256 step %c64 {
    %left = arith.subi %c256, %first : index
    %few = arith.minsi %left, %c64 : index
    scf.forall (%t) in (%few) {
      %at = arith.addi %first, %t : index
    } {mapping = [#gpu.thread<x>]}
  }
  return
}

// The remainder of another whole says nothing of the sum, and where `first` may be below 0 the subtraction may wrap.
// CHECK-LABEL: bounds in @other_remainder
// CHECK: extent %{{[0-9]+}}: at most 64
// CHECK-NEXT: counter %arg{{[0-9]+}}: 0 to 63
// CHECK-NEXT: index %{{[0-9]+}}: unknown
func.func @other_remainder(%first: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %left = arith.subi %c256, %first : index
  %few = arith.minsi %left, %c64 : index
  scf.forall (%t) in (%few) {
    %at = arith.addi %first, %t : index
  } {mapping = [#gpu.thread<x>]}
  return
}

// Without sign, a loop to n counts up to any integer: nothing is known with sign of where it begins either, as -1 would
// be a large one. What a loop carries lies between bounds that one more iteration does not leave.
// CHECK-LABEL: bounds in @unsigned
// CHECK: extent %c100: 100 to 100
// CHECK-NEXT: counter %arg{{[0-9]+}}: 5 to 99
// CHECK: extent %arg0: unknown
// CHECK-NEXT: counter %arg{{[0-9]+}}: unknown
// CHECK: index %{{[0-9]+}}: at most 64
// CHECK-NEXT: index %{{[0-9]+}}: 0 to 32
func.func @unsigned(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  scf.for unsigned %i = %c5 to %c100 step %c1 {
  }
  scf.for unsigned %i = %c5 to %n step %c1 {
  }
  %half = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c64) -> (index) {
    %less = arith.shrui %x, %c1 : index
    scf.yield %less : index
  }
  return
}
