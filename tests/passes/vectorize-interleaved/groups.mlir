// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that lanes have side by side: whole registers, and shuffles.
// RUN: %unwarp_opt --vectorize-interleaved %s | FileCheck %s
module attributes {unwarp.register_bytes = 64 : i64} {

// Both fields of a struct, read and written.
// CHECK-LABEL: func.func @pairs
// CHECK-NOT: gather
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30] : vector<16xf32>
// CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31] : vector<16xf32>
// CHECK: arith.addf
// CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23] : vector<16xf32>
// CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31] : vector<16xf32>
// CHECK-NOT: scatter
// CHECK-COUNT-2: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
// CHECK: return
func.func @pairs(%a: !llvm.ptr) {
  %steps = arith.constant dense<[0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120]> : vector<16xi64>
  %all = arith.constant dense<true> : vector<16xi1>
  %none = ub.poison : vector<16xf32>
  %xs = llvm.getelementptr %a[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  %b = llvm.getelementptr %a[4] : (!llvm.ptr) -> !llvm.ptr, i8
  %ys = llvm.getelementptr %b[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  %x = llvm.intr.masked.gather %xs, %all, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
  %y = llvm.intr.masked.gather %ys, %all, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
  %sum = arith.addf %x, %y : vector<16xf32>
  llvm.intr.masked.scatter %sum, %ys, %all {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into vector<16x!llvm.ptr>
  llvm.intr.masked.scatter %y, %xs, %all {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into vector<16x!llvm.ptr>
  return
}

// Two fields of three: what lies behind the last element that is asked for is not loaded, what is not written to stays.
// CHECK-LABEL: func.func @two_of_three
// CHECK: dense<[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false]>
// CHECK: llvm.intr.masked.load
// CHECK: dense<[true, true, false, true, true, false,
// CHECK: llvm.intr.masked.store
// CHECK: return
func.func @two_of_three(%a: !llvm.ptr) {
  %steps = arith.constant dense<[0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45]> : vector<16xi64>
  %all = arith.constant dense<true> : vector<16xi1>
  %none = ub.poison : vector<16xf32>
  %xs = llvm.getelementptr %a[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, f32
  %b = llvm.getelementptr %a[4] : (!llvm.ptr) -> !llvm.ptr, i8
  %ys = llvm.getelementptr %b[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, f32
  %x = llvm.intr.masked.gather %xs, %all, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
  %y = llvm.intr.masked.gather %ys, %all, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
  llvm.intr.masked.scatter %y, %xs, %all {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into vector<16x!llvm.ptr>
  llvm.intr.masked.scatter %x, %ys, %all {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into vector<16x!llvm.ptr>
  return
}

// Lanes at work: each register has the mask of the lanes whose elements it holds.
// CHECK-LABEL: func.func @masked
// CHECK: llvm.shufflevector %arg1, %{{.*}} [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7] : vector<16xi1>
// CHECK: llvm.intr.masked.load
// CHECK: llvm.shufflevector %arg1, %{{.*}} [8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15] : vector<16xi1>
// CHECK: llvm.intr.masked.load
// CHECK: arith.select %arg1
func.func @masked(%a: !llvm.ptr, %live: vector<16xi1>, %before: vector<16xi32>) -> vector<16xi32> {
  %steps = arith.constant dense<[0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120]> : vector<16xi64>
  %xs = llvm.getelementptr %a[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  %b = llvm.getelementptr %a[4] : (!llvm.ptr) -> !llvm.ptr, i8
  %ys = llvm.getelementptr %b[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  %x = llvm.intr.masked.gather %xs, %live, %before {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xi32>) -> vector<16xi32>
  %y = llvm.intr.masked.gather %ys, %live, %before {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xi32>) -> vector<16xi32>
  %sum = arith.addi %x, %y : vector<16xi32>
  return %sum : vector<16xi32>
}

// A loop that steps through the elements of each lane is unrolled first.
// CHECK-LABEL: func.func @loop
// CHECK-NOT: scf.for %
// CHECK-COUNT-4: llvm.load %{{.*}} -> vector<16xf32>
// CHECK-NOT: gather
// CHECK: return
func.func @loop(%a: !llvm.ptr) -> vector<16xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %steps = arith.constant dense<[0, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240]> : vector<16xi64>
  %all = arith.constant dense<true> : vector<16xi1>
  %none = ub.poison : vector<16xf32>
  %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%s = %zero) -> (vector<16xf32>) : i64 {
    %at = llvm.getelementptr %a[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %xs = llvm.getelementptr %at[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
    %x = llvm.intr.masked.gather %xs, %all, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %n = arith.addf %s, %x : vector<16xf32>
    scf.yield %n : vector<16xf32>
  }
  return %r : vector<16xf32>
}
}
