// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of 2 bytes: two registers' halves, where they can be loaded under masks; else they stay gathers.
// RUN: %unwarp_opt --vectorize-interleaved %s | FileCheck %s
// RUN: sed s/unwarp.register_bytes\ =\ 64/unwarp.register_bytes\ =\ 32/ %s | %unwarp_opt --vectorize-interleaved - | FileCheck %s --check-prefix=AVX2
module attributes {unwarp.register_bytes = 64 : i64} {

// CHECK-LABEL: func.func @pairs
// CHECK-NOT: gather
// CHECK-COUNT-2: llvm.intr.masked.load %{{.*}} {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
// CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30] : vector<16xf16>
// CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31] : vector<16xf16>
// CHECK-NOT: scatter
// CHECK-COUNT-2: llvm.intr.masked.store
// CHECK: return
// AVX2: gather
// AVX2-NOT: shufflevector
func.func @pairs(%a: !llvm.ptr, %on: vector<16xi1>) {
  %steps = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60]> : vector<16xi64>
  %none = ub.poison : vector<16xf16>
  %xs = llvm.getelementptr %a[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  %b = llvm.getelementptr %a[2] : (!llvm.ptr) -> !llvm.ptr, i8
  %ys = llvm.getelementptr %b[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  %x = llvm.intr.masked.gather %xs, %on, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
  %y = llvm.intr.masked.gather %ys, %on, %none {alignment = 2 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
  %sum = arith.addf %x, %y : vector<16xf16>
  llvm.intr.masked.scatter %sum, %ys, %on {alignment = 2 : i32} : vector<16xf16>, vector<16xi1> into vector<16x!llvm.ptr>
  llvm.intr.masked.scatter %y, %xs, %on {alignment = 4 : i32} : vector<16xf16>, vector<16xi1> into vector<16x!llvm.ptr>
  return
}
}
