// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions of the lanes are calls of their forms for vectors, by the name of the scalar one. Of what has none in a library each
// lane calls the scalar one; a class test is one of all lanes. What only looks like such a function keeps lanes away.
// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {
llvm.func @acosh(f64) -> f64
llvm.func @tgammaf(f32) -> f32
llvm.func @remainder(f64, f64) -> f64
llvm.func @acoshf(f64) -> f64

// CHECK-DAG: llvm.func @unwarp.vector.32.acosh(vector<32xf64>) -> vector<32xf64> attributes {memory_effects
// CHECK-LABEL: func.func @library
// CHECK: llvm.call @unwarp.vector.32.acosh
// CHECK: math.exp %{{.*}} : vector<32xf64>
// CHECK: llvm.intr.asin
// CHECK-SAME: vector<32xf64>
func.func @library(%n: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f64
  scf.forall (%t) in (%c64) {
    %t64 = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %in[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    %x = llvm.load %from : !llvm.ptr -> f64
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
      %a = arith.addf %x, %s : f64
      %b = llvm.call @acosh(%a) : (f64) -> f64
      %c = math.exp %b : f64
      %d = llvm.intr.asin(%c) : (f64) -> f64
      scf.yield %d : f64
    }
    %to = llvm.getelementptr %out[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    llvm.store %sum, %to : f64, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @each_lane
// CHECK-COUNT-16: llvm.call @tgammaf(%{{.*}}) : (f32) -> f32
// CHECK: "llvm.intr.is.fpclass"(%{{.*}}) <{bit = 3 : i32}> : (vector<16xf32>) -> vector<16xi1>
func.func @each_lane(%n: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (%c16) {
    %t64 = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %in[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from : !llvm.ptr -> f32
    %y = llvm.call @tgammaf(%x) : (f32) -> f32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %y) -> (f32) {
      %a = arith.mulf %x, %s : f32
      %b = arith.addf %a, %x : f32
      %nan = "llvm.intr.is.fpclass"(%b) <{bit = 3 : i32}> : (f32) -> i1
      %c = arith.select %nan, %zero, %b : f32
      %d = math.exp %c : f32
      scf.yield %d : f32
    }
    %to = llvm.getelementptr %out[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @others
// CHECK-NOT: vector
func.func @others(%n: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f64
  scf.forall (%t) in (%c64) {
    %t64 = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %in[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    %x = llvm.load %from : !llvm.ptr -> f64
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
      %a = llvm.call @acoshf(%x) : (f64) -> f64
      %b = llvm.call @remainder(%a, %s) : (f64, f64) -> f64
      scf.yield %b : f64
    }
    %to = llvm.getelementptr %out[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    llvm.store %sum, %to : f64, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
