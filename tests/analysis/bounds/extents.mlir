// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extents of thread loops, by minima and maxima of both signs, choices and sums.
// RUN: %unwarp_opt --print-analysis=bounds %s | FileCheck %s

// CHECK-LABEL: bounds in @minima
// CHECK: extent %c16: 16 to 16
// CHECK-NEXT: counter %arg{{[0-9]+}}: 0 to 15
// CHECK: extent %{{[0-9]+}}: at most 64
// CHECK-NEXT: counter %arg{{[0-9]+}}: 0 to 63
// CHECK: extent %{{[0-9]+}}: 0 to 48
// CHECK-NEXT: counter %arg{{[0-9]+}}: 0 to 47
func.func @minima(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  %signed = arith.minsi %n, %c64 : index
  %unsigned = arith.minui %n, %c48 : index
  scf.forall (%z, %y, %x) in (%c16, %signed, %unsigned) {
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// The smaller of two minima, the larger of two choices, and what stands between two bounds.
// CHECK-LABEL: bounds in @nested
// CHECK-NEXT: index %{{[0-9]+}}: at most 32
// CHECK-NEXT: index %{{[0-9]+}}: at most 8
// CHECK-NEXT: index %{{[0-9]+}}: at most 32
// CHECK-NEXT: index %{{[0-9]+}}: 0 to 32
// CHECK-NEXT: index %{{[0-9]+}}: 3 to 35
func.func @nested(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %m = arith.minsi %n, %c32 : index
  %few = arith.minsi %m, %c8 : index
  %choice = arith.select %c, %few, %c32 : index
  %clamped = arith.maxsi %choice, %c0 : index
  %sum = arith.addi %clamped, %c3 : index
  return
}

// Nothing is known of an argument, of a maximum with it, nor of what an int of 32 bits can be.
// CHECK-LABEL: bounds in @unknown
// CHECK-NEXT: index %{{[0-9]+}}: unknown
// CHECK-NEXT: index %{{[0-9]+}}: at least 32
// CHECK-NEXT: index %{{[0-9]+}}: unknown
// CHECK-NEXT: index %{{[0-9]+}}: 0 to 65535
func.func @unknown(%n: index, %i: i32, %s: i16) {
  %c32 = arith.constant 32 : index
  %sum = arith.addi %n, %c32 : index
  %large = arith.maxsi %n, %c32 : index
  %wide = arith.index_cast %i : i32 to index
  %short = arith.index_castui %s : i16 to index
  return
}

// Without sign, -4 is a large integer: a minimum with it may be any integer with sign.
// CHECK-LABEL: bounds in @signs
// CHECK-NEXT: index %{{[0-9]+}}: -4 to -4
// CHECK-NEXT: index %{{[0-9]+}}: unknown
func.func @signs(%n: index) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %negative = arith.subi %c0, %c4 : index
  %least = arith.minui %n, %negative : index
  return
}
