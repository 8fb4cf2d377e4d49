// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --software-prefetch --simplify{after=lower-barriers} %s | FileCheck %s

// A node's edges lead to nodes anywhere, where an atomic operation claims them: three loops ask for the row's ends, the row, and
// what the row leads to, if there are many blocks.

// CHECK-LABEL: func.func @claim
// CHECK: %[[MANY:.*]] = arith.cmpi uge, %{{.*}}, %{{.*}} : index
// CHECK: scf.if %[[MANY]]
// CHECK: scf.forall
// CHECK: llvm.intr.prefetch
// CHECK: {mapping = [#gpu.thread<
// CHECK: scf.forall
// CHECK: llvm.intr.prefetch
// CHECK: {mapping = [#gpu.thread<
// CHECK: scf.forall
// CHECK: scf.if
// CHECK: scf.for %
// CHECK: %[[N:.*]] = llvm.load
// CHECK: llvm.getelementptr %{{.*}}[%[[N]]]
// CHECK: llvm.intr.prefetch
// CHECK-NOT: llvm.intr.prefetch
// CHECK: scf.forall
// CHECK: llvm.cmpxchg
// CHECK-LABEL: func.func @sum
// CHECK-NOT: llvm.intr.prefetch
// CHECK-LABEL: func.func @overwritten
// CHECK-NOT: llvm.intr.prefetch
func.func @claim(%blocks: index, %threads: index, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %none = arith.constant -1 : i32
  %nodes = llvm.call @allocate() : () -> (!llvm.ptr {llvm.noalias})
  %rows = llvm.call @allocate() : () -> (!llvm.ptr {llvm.noalias})
  %edges = llvm.call @allocate() : () -> (!llvm.ptr {llvm.noalias})
  %seen = llvm.call @allocate() : () -> (!llvm.ptr {llvm.noalias})
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%threads) {
      %in = arith.cmpi ult, %t, %size : index
      scf.if %in {
        %i = arith.index_cast %t : index to i64
        %where = llvm.getelementptr %nodes[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %node = llvm.load %where : !llvm.ptr -> i32
        %row = llvm.getelementptr %rows[%node] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %next = llvm.getelementptr %row[1] : (!llvm.ptr) -> !llvm.ptr, i32
        %from = llvm.load %row : !llvm.ptr -> i32
        %to = llvm.load %next : !llvm.ptr -> i32
        scf.for %k = %from to %to step %one : i32 {
          %edge = llvm.getelementptr %edges[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i32
          %n = llvm.load %edge : !llvm.ptr -> i32
          %place = llvm.getelementptr %seen[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i32
          %r = llvm.cmpxchg %place, %none, %one monotonic monotonic : !llvm.ptr, i32
        }
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// A sum over the row waits for nothing: a CPU looks far ahead by itself.
func.func @sum(%blocks: index, %threads: index, %from: i32, %to: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %edges = llvm.call @allocate() : () -> (!llvm.ptr {llvm.noalias})
  %values = llvm.call @allocate() : () -> (!llvm.ptr {llvm.noalias})
  %out = llvm.call @allocate() : () -> (!llvm.ptr {llvm.noalias})
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%threads) {
      %s = scf.for %k = %from to %to step %one iter_args(%sum = %zero) -> (i32) : i32 {
        %edge = llvm.getelementptr %edges[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %n = llvm.load %edge : !llvm.ptr -> i32
        %place = llvm.getelementptr %values[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %v = llvm.load %place : !llvm.ptr -> i32
        %r = arith.addi %sum, %v : i32
        scf.yield %r : i32
      }
      %i = arith.index_cast %t : index to i64
      %own = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %s, %own : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// What the loop writes may be the edges: they cannot be read before.
func.func @overwritten(%blocks: index, %threads: index, %from: i32, %to: i32, %edges: !llvm.ptr, %seen: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %none = arith.constant -1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%threads) {
      scf.for %k = %from to %to step %one : i32 {
        %edge = llvm.getelementptr %edges[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %n = llvm.load %edge : !llvm.ptr -> i32
        %place = llvm.getelementptr %seen[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %r = llvm.cmpxchg %place, %none, %one monotonic monotonic : !llvm.ptr, i32
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
llvm.func @allocate() -> !llvm.ptr
