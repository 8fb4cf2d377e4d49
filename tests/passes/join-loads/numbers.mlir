// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number that is put together from bytes is loaded whole.
// RUN: %unwarp_opt --join-loads %s | FileCheck %s

// By a loop, which is unrolled for it; the hash that it goes into stays.
// CHECK-LABEL: func.func @loop(
// CHECK-NOT:   scf.for %
// CHECK:       %[[W:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> i64
// CHECK-NOT:   llvm.load
// CHECK:       llvm.store %[[W]]
func.func @loop(%p: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %eight = arith.constant 8 : i32
  %none = arith.constant 0 : i64
  scf.forall (%t) in (%c64) {
    %own = arith.index_castui %t : index to i64
    %q = llvm.getelementptr %p[%own] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<13 x i8>
    %word = scf.for unsigned %k = %zero to %eight step %one iter_args(%w = %none) -> (i64) : i32 {
      %k64 = arith.extui %k : i32 to i64
      %b = llvm.getelementptr %q[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %x = llvm.load %b {alignment = 1 : i64} : !llvm.ptr -> i8
      %wide = arith.extui %x : i8 to i64
      %far = arith.shli %k, %three : i32
      %far64 = arith.extui %far : i32 to i64
      %high = arith.shli %wide, %far64 : i64
      %next = arith.ori %w, %high : i64
      scf.yield %next : i64
    }
    %at = llvm.getelementptr %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %word, %at : i64, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The other way round, by shifts of what is there already.
// CHECK-LABEL: func.func @backwards(
// CHECK-NOT:   scf.for %
// CHECK:       %[[W:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> i32
// CHECK:       %[[S:.*]] = llvm.intr.bswap(%[[W]])
// CHECK:       llvm.store %[[S]]
func.func @backwards(%p: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %eight = arith.constant 8 : i32
  %none = arith.constant 0 : i32
  scf.forall (%t) in (%c64) {
    %own = arith.index_castui %t : index to i64
    %q = llvm.getelementptr %p[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %word = scf.for %k = %c0 to %c4 step %c1 iter_args(%w = %none) -> (i32) {
      %k64 = arith.index_castui %k : index to i64
      %b = llvm.getelementptr %q[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %x = llvm.load %b {alignment = 1 : i64} : !llvm.ptr -> i8
      %wide = arith.extui %x : i8 to i32
      %up = arith.shli %w, %eight : i32
      %next = arith.ori %up, %wide : i32
      scf.yield %next : i32
    }
    llvm.store %word, %out : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Three bytes: two of them at once. What else is in the sum is added to it.
// CHECK-LABEL: func.func @three(
// CHECK:       %[[W:.*]] = llvm.load %arg0 {{.*}} -> i16
// CHECK:       %[[B:.*]] = llvm.load {{.*}} -> i8
// CHECK-DAG:   %[[W32:.*]] = arith.extui %[[W]]
// CHECK-DAG:   %[[B32:.*]] = arith.extui %[[B]]
// CHECK-DAG:   arith.addi %arg2
// CHECK:       llvm.store
func.func @three(%p: !llvm.ptr, %out: !llvm.ptr, %more: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  scf.forall (%t) in (%c1) {
    %p1 = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i8
    %p2 = llvm.getelementptr %p[2] : (!llvm.ptr) -> !llvm.ptr, i8
    %a = llvm.load %p {alignment = 1 : i64} : !llvm.ptr -> i8
    %b = llvm.load %p1 {alignment = 1 : i64} : !llvm.ptr -> i8
    %c = llvm.load %p2 {alignment = 1 : i64} : !llvm.ptr -> i8
    %a32 = arith.extui %a : i8 to i32
    %b32 = arith.extui %b : i8 to i32
    %c32 = arith.extui %c : i8 to i32
    %bs = arith.shli %b32, %c8 : i32
    %cs = arith.shli %c32, %c16 : i32
    %ab = arith.addi %a32, %bs : i32
    %abc = arith.addi %ab, %cs : i32
    %all = arith.addi %abc, %more : i32
    llvm.store %all, %out : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
