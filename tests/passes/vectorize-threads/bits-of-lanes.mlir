// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bits of the index of a thread: what they make the same for all lanes is one scalar, what they leave a step apart is contiguous.
// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {

// t & 112 and t >> 4 are the same for 16 lanes, t & 15 counts with them, and so does (t & 15) | 32. Nothing can wrap around: nothing is asked.
// CHECK-LABEL: func.func @known
// CHECK-NOT: scf.if
// CHECK-NOT: gather
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK-NOT: gather
// CHECK: return
func.func @known(%n: index, %p: !llvm.ptr, %q: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %x = arith.constant 0.5 : f32
  %four = arith.constant 4 : i32
  %five = arith.constant 5 : i32
  %low = arith.constant 15 : i32
  %high = arith.constant 112 : i32
  %far = arith.constant 32 : i32
  scf.forall (%t) in (%c128) {
    %ti = arith.index_cast %t : index to i32
    %row = arith.andi %ti, %high : i32
    %row_far = arith.shli %row, %five : i32
    %row_wide = arith.extsi %row_far : i32 to i64
    %group = arith.shrui %ti, %four : i32
    %group_wide = arith.extui %group : i32 to i64
    %column = arith.andi %ti, %low : i32
    %column_wide = arith.extui %column : i32 to i64
    %other = arith.ori %column, %far : i32
    %other_wide = arith.extsi %other : i32 to i64
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %k64 = arith.index_cast %k : index to i64
      %i0 = arith.addi %row_wide, %k64 : i64
      %a0 = llvm.getelementptr %p[%i0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v0 = llvm.load %a0 : !llvm.ptr -> f32
      %i1 = arith.addi %group_wide, %k64 : i64
      %a1 = llvm.getelementptr %q[%i1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v1 = llvm.load %a1 : !llvm.ptr -> f32
      %i2 = arith.addi %column_wide, %k64 : i64
      %a2 = llvm.getelementptr %p[%i2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v2 = llvm.load %a2 : !llvm.ptr -> f32
      %i3 = arith.addi %other_wide, %k64 : i64
      %a3 = llvm.getelementptr %q[%i3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v3 = llvm.load %a3 : !llvm.ptr -> f32
      %m0 = arith.mulf %v0, %v2 : f32
      %m1 = arith.mulf %v1, %v3 : f32
      %m2 = arith.addf %m0, %m1 : f32
      %next = arith.addf %s, %m2 : f32
      scf.yield %next : f32
    }
    %to = arith.index_cast %t : index to i64
    %mine = llvm.getelementptr %out[%to] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Lanes that part: t & 7 within 16, (t + first) & 15 where first is not known, t ^ 1.
// CHECK-LABEL: func.func @unknown
// CHECK-COUNT-3: masked.gather
// CHECK: return
func.func @unknown(%n: index, %first: i32, %p: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %x = arith.constant 0.5 : f32
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  %low = arith.constant 15 : i32
  scf.forall (%t) in (%c128) {
    %ti = arith.index_cast %t : index to i32
    %short = arith.andi %ti, %seven : i32
    %short_wide = arith.extui %short : i32 to i64
    %moved = arith.addi %ti, %first : i32
    %turned = arith.andi %moved, %low : i32
    %turned_wide = arith.extui %turned : i32 to i64
    %swapped = arith.xori %ti, %one : i32
    %swapped_wide = arith.extui %swapped : i32 to i64
    %a0 = llvm.getelementptr %p[%short_wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v0 = llvm.load %a0 : !llvm.ptr -> f32
    %a1 = llvm.getelementptr %p[%turned_wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v1 = llvm.load %a1 : !llvm.ptr -> f32
    %a2 = llvm.getelementptr %p[%swapped_wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v2 = llvm.load %a2 : !llvm.ptr -> f32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %a = arith.mulf %s, %v0 : f32
      %b = arith.addf %a, %v1 : f32
      %c = arith.mulf %b, %v2 : f32
      %d = arith.addf %c, %v0 : f32
      scf.yield %d : f32
    }
    %to = arith.index_cast %t : index to i64
    %mine = llvm.getelementptr %out[%to] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
