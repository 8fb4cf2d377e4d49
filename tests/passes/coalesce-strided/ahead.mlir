// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a thread is ahead of the first one, where that is not its index in the innermost dimension.
// RUN: %unwarp_opt --coalesce-strided %s | FileCheck %s

// Every other element.
// CHECK-LABEL: func.func @twice
// CHECK: %[[AHEAD:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
// CHECK: %[[OWN:.*]] = arith.index_castui %[[AHEAD]] : i32 to index
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[OWN]], %{{.*}} : index
// CHECK: scf.if %[[IN]]
func.func @twice(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : i32
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %start = arith.muli %ti, %c2 : i32
    %r = scf.while (%i = %start) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %at : i32, !llvm.ptr
      %j = arith.addi %i, %stride : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// A row for each thread of a column.
// CHECK-LABEL: func.func @column
// CHECK: %[[AHEAD:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
// CHECK: %[[OWN:.*]] = arith.index_castui %[[AHEAD]] : i32 to index
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[OWN]], %{{.*}} : index
// CHECK: scf.if %[[IN]]
func.func @column(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t, %u) in (%threads, %threads) {
    %ti = arith.index_castui %t : index to i32
    %r = scf.while (%i = %ti) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %width = arith.index_castui %threads : index to i32
      %row = arith.muli %i, %width : i32
      %x = arith.index_castui %u : index to i32
      %place = arith.addi %row, %x : i32
      %at = llvm.getelementptr %q[%place] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %at : i32, !llvm.ptr
      %j = arith.addi %i, %stride : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}
