// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --coalesce-strided{scope=lanes} %s | FileCheck %s
// RUN: %unwarp_opt --coalesce-strided{scope=lanes} --coalesce-strided{scope=lanes} %s | FileCheck %s
// RUN: %unwarp_opt --coalesce-strided{scope=lanes} --lower-barriers --vectorize-threads %s | FileCheck %s --check-prefix=PACKED

module attributes {unwarp.register_bytes = 64 : i64} {

// What the lanes add up stays in registers: no barrier, the iterations are the same for all lanes, and packets takes those at a time.

// CHECK-LABEL: func.func @sum
// CHECK: scf.forall
// CHECK: scf.for %
// CHECK: scf.if
// CHECK-NOT: unwarp.barrier
// CHECK: #gpu.lane<x>

// PACKED-LABEL: func.func @sum
// PACKED: scf.for {{.*}} -> (vector<16xf32>)
// PACKED: %[[ALL:.*]] = "llvm.intr.vector.reduce.and"
// PACKED: scf.if %[[ALL]]
// PACKED: llvm.load {{.*}} : !llvm.ptr -> vector<16xf32>
// PACKED: "llvm.intr.vector.reduce.or"
// PACKED: llvm.intr.masked.load
func.func @sum(%first: i32, %end: i32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lanes = arith.constant 32 : index
  %stride = arith.constant 32 : i32
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (%lanes) {
    %ti = arith.index_castui %t : index to i32
    %start = arith.addi %first, %ti : i32
    %r = scf.for %i = %start to %end step %stride iter_args(%s = %zero) -> (f32) : i32 {
      %wide = arith.extsi %i : i32 to i64
      %at = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %at : !llvm.ptr -> f32
      %next = arith.addf %s, %x : f32
      scf.yield %next : f32
    }
    %own = llvm.getelementptr %q[%ti] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %r, %own : f32, !llvm.ptr
  } {mapping = [#gpu.lane<x>]}
  return
}

// A counter that starts at 0 or above is the same with zeros before it: what it leads to lies side by side.

// PACKED-LABEL: func.func @with_zeros
// PACKED: llvm.load {{.*}} : !llvm.ptr -> vector<16xi16>
// PACKED-NOT: llvm.intr.masked.gather
// PACKED-LABEL: func.func @divisions
func.func @with_zeros(%end: i32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lanes = arith.constant 32 : index
  %stride = arith.constant 32 : i32
  %zero = arith.constant 0 : i32
  scf.forall (%t) in (%lanes) {
    %start = arith.index_cast %t : index to i32
    %r = scf.for %i = %start to %end step %stride iter_args(%s = %zero) -> (i32) : i32 {
      %wide = arith.extui %i : i32 to i64
      %at = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i16
      %x = llvm.load %at : !llvm.ptr -> i16
      %y = arith.extui %x : i16 to i32
      %next = arith.maxui %s, %y : i32
      scf.yield %next : i32
    }
    %own = llvm.getelementptr %q[%start] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %r, %own : i32, !llvm.ptr
  } {mapping = [#gpu.lane<x>]}
  return
}

// Divisions are made one by one in vectors, too: the barrier stays.

// CHECK-LABEL: func.func @divisions
// CHECK: scf.for %
// CHECK: "unwarp.barrier"() {level = "warp"
func.func @divisions(%first: i32, %end: i32, %by: i32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lanes = arith.constant 32 : index
  %stride = arith.constant 32 : i32
  %zero = arith.constant 0 : i32
  scf.forall (%t) in (%lanes) {
    %ti = arith.index_castui %t : index to i32
    %start = arith.addi %first, %ti : i32
    %r = scf.for %i = %start to %end step %stride iter_args(%s = %zero) -> (i32) : i32 {
      %wide = arith.extsi %i : i32 to i64
      %at = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %x = llvm.load %at : !llvm.ptr -> i32
      %whole = arith.divsi %x, %by : i32
      %rest = arith.remsi %x, %by : i32
      %a = arith.divsi %whole, %by : i32
      %b = arith.xori %rest, %a : i32
      %next = arith.addi %s, %b : i32
      scf.yield %next : i32
    }
    %own = llvm.getelementptr %q[%ti] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %r, %own : i32, !llvm.ptr
  } {mapping = [#gpu.lane<x>]}
  return
}

// Vectors have no atomic operations: the barrier makes the lanes the innermost loop.

// CHECK-LABEL: func.func @counts
// CHECK: scf.for %
// CHECK: llvm.atomicrmw
// CHECK: "unwarp.barrier"() {level = "warp"
func.func @counts(%first: i32, %end: i32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lanes = arith.constant 32 : index
  %stride = arith.constant 32 : i32
  %zero = arith.constant 0 : i32
  scf.forall (%t) in (%lanes) {
    %ti = arith.index_castui %t : index to i32
    %start = arith.addi %first, %ti : i32
    %r = scf.for %i = %start to %end step %stride iter_args(%s = %zero) -> (i32) : i32 {
      %wide = arith.extsi %i : i32 to i64
      %at = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %x = llvm.atomicrmw add %at, %ti monotonic : !llvm.ptr, i32
      %next = arith.addi %s, %x : i32
      scf.yield %next : i32
    }
    %own = llvm.getelementptr %q[%ti] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %r, %own : i32, !llvm.ptr
  } {mapping = [#gpu.lane<x>]}
  return
}

// Nothing is carried: the barrier costs nothing.

// CHECK-LABEL: func.func @copies
// CHECK: scf.for %
// CHECK: "unwarp.barrier"() {level = "warp"
func.func @copies(%first: i32, %end: i32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lanes = arith.constant 32 : index
  %stride = arith.constant 32 : i32
  scf.forall (%t) in (%lanes) {
    %ti = arith.index_castui %t : index to i32
    %start = arith.addi %first, %ti : i32
    scf.for %i = %start to %end step %stride : i32 {
      %wide = arith.extsi %i : i32 to i64
      %at = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %at : !llvm.ptr -> f32
      %to = llvm.getelementptr %q[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %x, %to : f32, !llvm.ptr
    }
  } {mapping = [#gpu.lane<x>]}
  return
}
}
