// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices of lanes that may wrap around, each of which is asked, and those that are not known to be a step apart.
// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {

// Two values that might wrap around: both are asked.
// CHECK-LABEL: func.func @two
// CHECK: %[[A:.*]] = arith.cmpi sle, %{{.*}}, %{{.*}} : i32
// CHECK: %[[B:.*]] = arith.cmpi sle, %{{.*}}, %{{.*}} : i32
// CHECK: %[[BOTH:.*]] = arith.andi %[[A]], %[[B]]
// CHECK: scf.if %[[BOTH]]
func.func @two(%n: index, %first: i32, %second: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i32
    %own = arith.addi %first, %ti : i32
    %wide = arith.extsi %own : i32 to i64
    %mine = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %mine : !llvm.ptr -> f32
    %other = arith.addi %second, %ti : i32
    %there = arith.extsi %other : i32 to i64
    %to = llvm.getelementptr %p[%there] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %a = arith.mulf %s, %x : f32
      scf.yield %a : f32
    }
    llvm.store %last, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// One that is extended with its sign and without: it must not wrap around as either.
// CHECK-LABEL: func.func @both_ways
// CHECK: %[[A:.*]] = arith.cmpi sle, %{{.*}}, %{{.*}} : i32
// CHECK: %[[B:.*]] = arith.cmpi ule, %{{.*}}, %{{.*}} : i32
// CHECK: %[[BOTH:.*]] = arith.andi %[[A]], %[[B]]
// CHECK: scf.if %[[BOTH]]
func.func @both_ways(%n: index, %first: i32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i32
    %own = arith.addi %first, %ti : i32
    %wide = arith.extsi %own : i32 to i64
    %mine = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %mine : !llvm.ptr -> f32
    %there = arith.extui %own : i32 to i64
    %to = llvm.getelementptr %q[%there] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %a = arith.mulf %s, %x : f32
      scf.yield %a : f32
    }
    llvm.store %last, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// One that each iteration loads: nothing tells its range before the loop.
// CHECK-LABEL: func.func @loaded
// CHECK-NOT: scf.if
// CHECK: masked.gather
func.func @loaded(%n: index, %rows: !llvm.ptr, %p: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %x = arith.constant 0.5 : f32
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %ki = arith.index_cast %k : index to i64
      %row = llvm.getelementptr %rows[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %first = llvm.load %row : !llvm.ptr -> i32
      %own = arith.addi %first, %ti : i32
      %wide = arith.extsi %own : i32 to i64
      %at = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %at : !llvm.ptr -> f32
      %a = arith.mulf %s, %y : f32
      %b = arith.addf %a, %x : f32
      %c = arith.mulf %b, %a : f32
      %d = arith.addf %c, %b : f32
      %e = arith.mulf %d, %c : f32
      %f = arith.addf %e, %d : f32
      scf.yield %f : f32
    }
    %to = arith.index_cast %t : index to i64
    %mine = llvm.getelementptr %out[%to] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Lanes that are an unknown distance apart, and lanes that are further apart in each iteration.
// CHECK-LABEL: func.func @apart
// CHECK: arith.muli %{{.*}}, %{{.*}} : vector<16xi64>
// CHECK: masked.gather
// CHECK: masked.gather
func.func @apart(%n: index, %far: i64, %p: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %three = arith.constant 3 : i64
  %x = arith.constant 0.5 : f32
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i64
    %row = arith.muli %ti, %far : i64
    %end:2 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x, %d = %ti) -> (f32, i64) {
      %at = llvm.getelementptr %p[%row] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %at : !llvm.ptr -> f32
      %there = llvm.getelementptr %p[%d] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %z = llvm.load %there : !llvm.ptr -> f32
      %a = arith.mulf %s, %y : f32
      %b = arith.addf %a, %z : f32
      %e = arith.mulf %b, %b : f32
      %f = arith.addf %e, %x : f32
      %g = arith.mulf %f, %b : f32
      %h = arith.addf %g, %x : f32
      %i = arith.mulf %h, %f : f32
      %l = arith.addf %i, %x : f32
      %times = arith.muli %d, %three : i64
      scf.yield %l, %times : f32, i64
    }
    %mine = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %end#0, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// One that is the same for all lanes is not asked: nothing is added to it.
// CHECK-LABEL: func.func @same
// CHECK-NOT: scf.if
// CHECK: llvm.store %{{.*}} : vector<16xf32>
func.func @same(%n: index, %first: i32, %p: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i64
    %row = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %at = llvm.getelementptr %row[%first] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %x = llvm.load %at : !llvm.ptr -> f32
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %a = arith.mulf %s, %x : f32
      scf.yield %a : f32
    }
    %mine = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %last, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
