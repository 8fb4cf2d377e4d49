// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a barrier in a loop orders, of what threads do in one iteration and in the next.
// RUN: %unwarp_opt --print-analysis=effects %s | FileCheck %s

// A distance that changes from iteration to iteration: a thread reads where another one wrote an iteration before.
// CHECK-LABEL: thread loop in @distance
// CHECK: barrier 0: before {{.*}} orders{{.*}} 1-0
func.func @distance(%threads: index, %n: index, %s: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    scf.for %i = %c1 to %n step %c1 {
      %far = arith.muli %t, %i : index
      %k = arith.index_cast %far : index to i64
      %own = llvm.getelementptr %s[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %own : !llvm.ptr -> f32
      llvm.store %v, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// A start that does.
// CHECK-LABEL: thread loop in @start
// CHECK: barrier 0: before {{.*}} orders{{.*}} 1-0
func.func @start(%threads: index, %n: index, %s: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    scf.for %i = %c0 to %n step %c1 {
      %far = arith.addi %t, %i : index
      %k = arith.index_cast %far : index to i64
      %own = llvm.getelementptr %s[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %own : !llvm.ptr -> f32
      llvm.store %v, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// A start that does, by rows of unknown length, on either side of the product.
// CHECK-LABEL: thread loop in @row{{$}}
// CHECK: barrier 0: before {{.*}} orders{{.*}} 1-0
// CHECK-LABEL: thread loop in @row_of
// CHECK: barrier 0: before {{.*}} orders{{.*}} 1-0
func.func @row(%threads: index, %n: index, %m: index, %s: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    scf.for %i = %c0 to %n step %c1 {
      %far = arith.muli %i, %m : index
      %place = arith.addi %t, %far : index
      %k = arith.index_cast %place : index to i64
      %own = llvm.getelementptr %s[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %own : !llvm.ptr -> f32
      llvm.store %v, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @row_of(%threads: index, %n: index, %m: index, %s: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    scf.for %i = %c0 to %n step %c1 {
      %far = arith.muli %m, %i : index
      %place = arith.addi %t, %far : index
      %k = arith.index_cast %place : index to i64
      %own = llvm.getelementptr %s[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %own : !llvm.ptr -> f32
      llvm.store %v, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// A branch with a barrier closes the way if both arms have one only.
// CHECK-LABEL: thread loop in @branches
// CHECK: barrier 2: before {1 0} after {}
// CHECK: barrier 4: before {} after {2}
// CHECK: barrier 5: before {2} after {3}
func.func @branches(%threads: index, %a: i1, %b: i1, %x: f32, %s: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    llvm.store %x, %s : f32, !llvm.ptr
    scf.if %a {
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
    scf.if %b {
      "unwarp.barrier"() {level = "block"} : () -> ()
    } else {
      llvm.store %x, %s : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    scf.if %b {
      "unwarp.barrier"() {level = "block"} : () -> ()
    } else {
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
    llvm.store %x, %s : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    llvm.store %x, %s : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Two barriers in each iteration: what stands outside of the loop is next to one of them only.
// CHECK-LABEL: thread loop in @two
// CHECK: barrier 0: before {1 0} after {2} orders
// CHECK: barrier 1: before {2} after {1' 3}
func.func @two(%threads: index, %n: index, %x: f32, %s: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    llvm.store %x, %s : f32, !llvm.ptr
    scf.for %i = %c0 to %n step %c1 {
      llvm.store %x, %s : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      llvm.store %x, %s : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
    llvm.store %x, %s : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
