// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a row of at most 16 threads 16 are taken at a time, whichever operations say so, and not 64 first.
// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s
module attributes {unwarp.register_bytes = 64 : i64} {
// CHECK-LABEL: func.func @unsigned
// CHECK-NOT: vector<64xi32>
// CHECK: scf.for {{.*}} -> (vector<16xi32>)
// CHECK: scf.for {{.*}} -> (i32)
// CHECK-LABEL: func.func @signed
// CHECK-NOT: vector<64xi32>
// CHECK: scf.for {{.*}} -> (vector<16xi32>)
// CHECK-LABEL: func.func @choice
// CHECK-NOT: vector<64xi32>
// CHECK: scf.for {{.*}} -> (vector<16xi32>)

// Of at most 100 threads, or so many that nothing is known, 64.
// CHECK-LABEL: func.func @more
// CHECK: scf.for {{.*}} -> (vector<64xi32>)
func.func @unsigned(%n: index, %threads: index, %c: i1, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c100 = arith.constant 100 : index
  %c13 = arith.constant 13 : i32
  %some = arith.minui %threads, %c16 : index
  scf.forall (%t) in (%some) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.trunci %ti : i64 to i32
    %state = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (i32) {
      %a = arith.shli %s, %c13 : i32
      %next = arith.xori %s, %a : i32
      scf.yield %next : i32
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %state, %mine : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @signed(%n: index, %threads: index, %c: i1, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c100 = arith.constant 100 : index
  %c13 = arith.constant 13 : i32
  %some = arith.minsi %threads, %c16 : index
  scf.forall (%t) in (%some) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.trunci %ti : i64 to i32
    %state = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (i32) {
      %a = arith.shli %s, %c13 : i32
      %next = arith.xori %s, %a : i32
      scf.yield %next : i32
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %state, %mine : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @choice(%n: index, %threads: index, %c: i1, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c100 = arith.constant 100 : index
  %c13 = arith.constant 13 : i32
  %some = arith.select %c, %c16, %c1 : index
  scf.forall (%t) in (%some) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.trunci %ti : i64 to i32
    %state = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (i32) {
      %a = arith.shli %s, %c13 : i32
      %next = arith.xori %s, %a : i32
      scf.yield %next : i32
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %state, %mine : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @more(%n: index, %threads: index, %c: i1, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c100 = arith.constant 100 : index
  %c13 = arith.constant 13 : i32
  %some = arith.minui %threads, %c100 : index
  scf.forall (%t) in (%some) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.trunci %ti : i64 to i32
    %state = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (i32) {
      %a = arith.shli %s, %c13 : i32
      %next = arith.xori %s, %a : i32
      scf.yield %next : i32
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %state, %mine : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
