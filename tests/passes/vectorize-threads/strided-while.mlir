// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {

// Threads of a grid step through what they have to do, and each asks afterwards how far it came. Their indices are side by side: at work
// they are less than the bound, and their sums do not wrap.
// CHECK-LABEL: func.func @counts
// CHECK: scf.while
// CHECK: do
// CHECK-NOT: gather
// CHECK: llvm.intr.masked.load
// CHECK: llvm.intr.masked.store
// CHECK-NOT: scatter
func.func @counts(%n: i32, %step: i32, %first: i32, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.forall (%t) in (%c64) {
    %ti = arith.index_cast %t : index to i32
    %start = arith.addi %first, %ti : i32
    %last = scf.while (%i = %start) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %wide = arith.extsi %i : i32 to i64
      %from = llvm.getelementptr %in[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %from : !llvm.ptr -> f32
      %y = arith.mulf %x, %x : f32
      %to = llvm.getelementptr %out[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %y, %to : f32, !llvm.ptr
      %next = arith.addi %i, %step overflow<nsw> : i32
      scf.yield %next : i32
    }
    %t64 = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %in[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %last, %own : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Where the sums may wrap around, lanes need not be side by side: they would gather, which does not pay.
// CHECK-LABEL: func.func @may_wrap
// CHECK-NOT: vector
// CHECK: return
func.func @may_wrap(%n: i32, %step: i32, %first: i32, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.forall (%t) in (%c64) {
    %ti = arith.index_cast %t : index to i32
    %start = arith.addi %first, %ti : i32
    %last = scf.while (%i = %start) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %wide = arith.extsi %i : i32 to i64
      %from = llvm.getelementptr %in[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %from : !llvm.ptr -> f32
      %y = arith.mulf %x, %x : f32
      %to = llvm.getelementptr %out[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %y, %to : f32, !llvm.ptr
      %next = arith.addi %i, %step : i32
      scf.yield %next : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// Nor where the bound is another one for each thread, or lanes go down.
// CHECK-LABEL: func.func @down
// CHECK-NOT: masked.load
// CHECK: return
func.func @down(%n: i32, %step: i32, %first: i32, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.forall (%t) in (%c64) {
    %ti = arith.index_cast %t : index to i32
    %start = arith.subi %first, %ti : i32
    %last = scf.while (%i = %start) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %wide = arith.extsi %i : i32 to i64
      %from = llvm.getelementptr %in[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %from : !llvm.ptr -> f32
      %y = arith.mulf %x, %x : f32
      llvm.store %y, %from : f32, !llvm.ptr
      %next = arith.addi %i, %step overflow<nsw> : i32
      scf.yield %next : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
}
