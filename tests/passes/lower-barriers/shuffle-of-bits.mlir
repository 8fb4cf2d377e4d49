// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --form-warps --simplify --lower-barriers --simplify{after=lower-barriers} %s | FileCheck %s

// PTX exchanges bits: a shuffle of a value's bits is one of the value, and what uses its bits after it finds them in its slot. So a
// butterfly that needs both, as the larger of two values does for zeros, is vectors from end to end.

// CHECK-LABEL: func.func @largest
// CHECK: call @get
// CHECK: llvm.store %{{.*}} : f32
// CHECK: {mapping = [#gpu.lane<x>]}
// CHECK: %[[V:.*]] = llvm.load %{{.*}} : !llvm.ptr -> vector<32xf32>
// CHECK: llvm.shufflevector %[[V]], %[[V]] [2, 3,
// CHECK: arith.select {{.*}} vector<32xf32>
// CHECK-NOT: scf.forall
// CHECK: llvm.shufflevector %{{.*}} [1, 0,
// CHECK-NOT: scf.forall
// CHECK: arith.select {{.*}} vector<32xf32>
// CHECK: scf.forall
// CHECK: call @put
// CHECK: {mapping = [#gpu.lane<x>]}
// CHECK-NEXT: } {mapping = [#gpu.warp<x>]}
func.func @largest() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %mask = arith.constant 31 : i32
  %true = arith.constant true
  scf.forall (%x) in (%size) {
    %v = func.call @get(%x) : (index) -> f32
    %i = arith.index_castui %x : index to i32
    %lane = arith.andi %i, %mask : i32
    %bits = arith.bitcast %v : f32 to i32
    %over2 = arith.xori %lane, %two : i32
    %a = "unwarp.shuffle"(%bits, %over2, %true) : (i32, i32, i1) -> i32
    %other = arith.bitcast %a : i32 to f32
    %most = arith.maxnumf %v, %other : f32
    %both = arith.andi %bits, %a : i32
    %zero = arith.bitcast %both : i32 to f32
    %same = arith.cmpf oeq, %v, %other : f32
    %w = arith.select %same, %zero, %most : f32
    %bits1 = arith.bitcast %w : f32 to i32
    %over1 = arith.xori %lane, %one : i32
    %b = "unwarp.shuffle"(%bits1, %over1, %true) : (i32, i32, i1) -> i32
    %other1 = arith.bitcast %b : i32 to f32
    %most1 = arith.maxnumf %w, %other1 : f32
    %both1 = arith.andi %bits1, %b : i32
    %zero1 = arith.bitcast %both1 : i32 to f32
    %same1 = arith.cmpf oeq, %w, %other1 : f32
    %u = arith.select %same1, %zero1, %most1 : f32
    func.call @put(%u) : (f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @get(index) -> f32
func.func private @put(f32)
