// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stays gathers and scatters.
// RUN: %unwarp_opt --vectorize-interleaved %s | FileCheck %s
// CHECK-NOT: shufflevector
module attributes {unwarp.register_bytes = 64 : i64} {

// One field of many, and lanes too far apart: there is more to load than is asked for.
// CHECK-LABEL: func.func @one_of_many
// CHECK-COUNT-2: gather
func.func @one_of_many(%a: !llvm.ptr) -> (vector<16xf32>, vector<16xf32>) {
  %steps = arith.constant dense<[0, 64, 128, 192, 256, 320, 384, 448, 512, 576, 640, 704, 768, 832, 896, 960]> : vector<16xi64>
  %far = arith.constant dense<[0, 128, 256, 384, 512, 640, 768, 896, 1024, 1152, 1280, 1408, 1536, 1664, 1792, 1920]> : vector<16xi64>
  %all = arith.constant dense<true> : vector<16xi1>
  %none = ub.poison : vector<16xf32>
  %xs = llvm.getelementptr %a[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  %ys = llvm.getelementptr %a[%far] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  %x = llvm.intr.masked.gather %xs, %all, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
  %y = llvm.intr.masked.gather %ys, %all, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
  return %x, %y : vector<16xf32>, vector<16xf32>
}

// Two fields of five, worth it together: between the two stores memory is read that may be what the first one writes.
// CHECK-LABEL: func.func @read_between
// CHECK: scatter
// CHECK: llvm.load
// CHECK: scatter
func.func @read_between(%a: !llvm.ptr, %p: !llvm.ptr, %v: vector<16xf32>) -> f32 {
  %steps = arith.constant dense<[0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 220, 240, 260, 280, 300]> : vector<16xi64>
  %all = arith.constant dense<true> : vector<16xi1>
  %none = ub.poison : vector<16xf32>
  %xs = llvm.getelementptr %a[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  %b = llvm.getelementptr %a[4] : (!llvm.ptr) -> !llvm.ptr, i8
  %ys = llvm.getelementptr %b[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  llvm.intr.masked.scatter %v, %xs, %all {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into vector<16x!llvm.ptr>
  %x = llvm.load %p : !llvm.ptr -> f32
  llvm.intr.masked.scatter %v, %ys, %all {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into vector<16x!llvm.ptr>
  return %x : f32
}

// Two fields of eight: a store that may meet the second one stands between the loads.
// CHECK-LABEL: func.func @written_between
// CHECK: gather
// CHECK: llvm.store
// CHECK: gather
func.func @written_between(%a: !llvm.ptr, %p: !llvm.ptr, %f: f32) -> (vector<16xf32>, vector<16xf32>) {
  %steps = arith.constant dense<[0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480]> : vector<16xi64>
  %live = arith.constant dense<[true, false, true, true, true, true, true, true, true, true, true, true, true, true, true, true]> : vector<16xi1>
  %none = ub.poison : vector<16xf32>
  %xs = llvm.getelementptr %a[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  %b = llvm.getelementptr %a[4] : (!llvm.ptr) -> !llvm.ptr, i8
  %ys = llvm.getelementptr %b[%steps] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, i8
  %x = llvm.intr.masked.gather %xs, %live, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
  llvm.store %f, %p : f32, !llvm.ptr
  %y = llvm.intr.masked.gather %ys, %live, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
  return %x, %y : vector<16xf32>, vector<16xf32>
}
}
