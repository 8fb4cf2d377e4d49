// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that add up columns read a piece of a row in each iteration, the next row far away: the more go together the longer the pieces,
// 64 where registers hold 16. Not where a loop computes much with what it reads, nor in blocks of several rows.
// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

module attributes {unwarp.register_bytes = 32 : i64, unwarp.registers = 16 : i64} {

// CHECK-LABEL: func.func @columns
// CHECK: llvm.load {{.*}} -> vector<64xf32>
// CHECK: return
func.func @columns(%n: index, %rows: index, %stride: i64, %a: !llvm.ptr, %x: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%y, %t) in (%c1, %n) {
    %tl = arith.index_cast %t : index to i64
    %sum = scf.for %k = %c0 to %rows step %c1 iter_args(%s = %zero) -> (f32) {
      %kl = arith.index_cast %k : index to i64
      %row = arith.muli %kl, %stride overflow<nsw> : i64
      %i = arith.addi %row, %tl overflow<nsw> : i64
      %from = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %from : !llvm.ptr -> f32
      %next = arith.addf %s, %v : f32
      scf.yield %next : f32
    }
    %to = llvm.getelementptr %out[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @much
// CHECK-NOT: vector<64xf32>
// CHECK: llvm.load {{.*}} -> vector<16xf32>
// CHECK: return
func.func @much(%n: index, %rows: index, %stride: i64, %a: !llvm.ptr, %x: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%y, %t) in (%c1, %n) {
    %tl = arith.index_cast %t : index to i64
    %sum = scf.for %k = %c0 to %rows step %c1 iter_args(%s = %zero) -> (f32) {
      %kl = arith.index_cast %k : index to i64
      %row = arith.muli %kl, %stride overflow<nsw> : i64
      %i = arith.addi %row, %tl overflow<nsw> : i64
      %from = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %from : !llvm.ptr -> f32
      %v2 = arith.mulf %v, %v : f32
      %v3 = arith.mulf %v2, %v : f32
      %v4 = arith.addf %v3, %v2 : f32
      %v5 = arith.mulf %v4, %v3 : f32
      %next = arith.addf %s, %v5 : f32
      scf.yield %next : f32
    }
    %to = llvm.getelementptr %out[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @several_rows
// CHECK-NOT: vector<64xf32>
// CHECK: llvm.load {{.*}} -> vector<16xf32>
// CHECK: return
func.func @several_rows(%n: index, %rows: index, %stride: i64, %a: !llvm.ptr, %x: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%y, %t) in (%c8, %n) {
    %tl = arith.index_cast %t : index to i64
    %yl = arith.index_cast %y : index to i64
    %sum = scf.for %k = %c0 to %rows step %c1 iter_args(%s = %zero) -> (f32) {
      %kl = arith.index_cast %k : index to i64
      %row = arith.muli %kl, %stride overflow<nsw> : i64
      %i = arith.addi %row, %tl overflow<nsw> : i64
      %from = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %from : !llvm.ptr -> f32
      %factor = llvm.getelementptr %x[%yl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %f = llvm.load %factor : !llvm.ptr -> f32
      %w = arith.mulf %v, %f : f32
      %next = arith.addf %s, %w : f32
      scf.yield %next : f32
    }
    %own = arith.muli %yl, %stride overflow<nsw> : i64
    %j = arith.addi %own, %tl overflow<nsw> : i64
    %to = llvm.getelementptr %out[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}
}
