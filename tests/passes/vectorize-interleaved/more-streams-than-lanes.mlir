// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// More streams than a register has lanes: nine floats of a struct by registers of eight. All are stored by whole registers, nine for each
// eight lanes, without a mask.
// RUN: %unwarp_opt --vectorize-interleaved %s | FileCheck %s
module attributes {unwarp.register_bytes = 32 : i64} {
// CHECK-LABEL: func.func @nine_of_nine
// CHECK-NOT: scatter
// CHECK: llvm.shufflevector
// CHECK-COUNT-18: llvm.store %{{.*}} : vector<8xf32>, !llvm.ptr
// CHECK-NOT: llvm.store
// CHECK-NOT: scatter
// CHECK: return
func.func @nine_of_nine(%a: !llvm.ptr, %v0: vector<16xf32>, %v1: vector<16xf32>, %v2: vector<16xf32>, %v3: vector<16xf32>, %v4: vector<16xf32>, %v5: vector<16xf32>, %v6: vector<16xf32>, %v7: vector<16xf32>, %v8: vector<16xf32>) {
  %steps = arith.constant dense<[0, 36, 72, 108, 144, 180, 216, 252, 288, 324, 360, 396, 432, 468, 504, 540]> : vector<16xi64>
  %all = arith.constant dense<true> : vector<16xi1>
  %b0 = llvm.getelementptr %a[0] : (!llvm.ptr) -> !llvm.ptr, i8
  %p0 = llvm.getelementptr %b0[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  %b1 = llvm.getelementptr %a[4] : (!llvm.ptr) -> !llvm.ptr, i8
  %p1 = llvm.getelementptr %b1[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  %b2 = llvm.getelementptr %a[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %p2 = llvm.getelementptr %b2[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  %b3 = llvm.getelementptr %a[12] : (!llvm.ptr) -> !llvm.ptr, i8
  %p3 = llvm.getelementptr %b3[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  %b4 = llvm.getelementptr %a[16] : (!llvm.ptr) -> !llvm.ptr, i8
  %p4 = llvm.getelementptr %b4[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  %b5 = llvm.getelementptr %a[20] : (!llvm.ptr) -> !llvm.ptr, i8
  %p5 = llvm.getelementptr %b5[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  %b6 = llvm.getelementptr %a[24] : (!llvm.ptr) -> !llvm.ptr, i8
  %p6 = llvm.getelementptr %b6[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  %b7 = llvm.getelementptr %a[28] : (!llvm.ptr) -> !llvm.ptr, i8
  %p7 = llvm.getelementptr %b7[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  %b8 = llvm.getelementptr %a[32] : (!llvm.ptr) -> !llvm.ptr, i8
  %p8 = llvm.getelementptr %b8[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  llvm.intr.masked.scatter %v0, %p0, %all {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into vector<16x!llvm.ptr>
  llvm.intr.masked.scatter %v1, %p1, %all {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into vector<16x!llvm.ptr>
  llvm.intr.masked.scatter %v2, %p2, %all {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into vector<16x!llvm.ptr>
  llvm.intr.masked.scatter %v3, %p3, %all {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into vector<16x!llvm.ptr>
  llvm.intr.masked.scatter %v4, %p4, %all {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into vector<16x!llvm.ptr>
  llvm.intr.masked.scatter %v5, %p5, %all {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into vector<16x!llvm.ptr>
  llvm.intr.masked.scatter %v6, %p6, %all {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into vector<16x!llvm.ptr>
  llvm.intr.masked.scatter %v7, %p7, %all {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into vector<16x!llvm.ptr>
  llvm.intr.masked.scatter %v8, %p8, %all {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into vector<16x!llvm.ptr>
  return
}
}
