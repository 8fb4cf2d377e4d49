// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --coalesce-strided{scope=lanes} %s | FileCheck %s
// RUN: %unwarp_opt --coalesce-strided{scope=lanes} --coalesce-strided{scope=lanes} %s | FileCheck %s
// RUN: %unwarp_opt --coalesce-strided{scope=lanes} --lower-barriers --simplify{after=lower-barriers} --licm{scope=phase} --sink-stores --guards-to-bounds %s | FileCheck %s --check-prefix=LOWERED

module attributes {unwarp.register_bytes = 0 : i64} { // no vectors: see lanes-in-registers.mlir

// A warp for each row: its lanes go through the row together. The row's ends, the same for all lanes, are loaded once.

// CHECK-LABEL: func.func @row
// CHECK: scf.forall (%[[L:.*]]) {{=|in}}
// CHECK: scf.for %[[BASE:.*]] = %{{.*}} to %[[END:.*]] step %{{.*}} iter_args
// CHECK: %[[LEFT:.*]] = arith.subi %[[END]], %[[BASE]] : index
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[L]], %[[LEFT]] : index
// CHECK: scf.if %[[IN]]
// CHECK: "unwarp.barrier"() {level = "warp"
// CHECK-NOT: unwarp.barrier

// LOWERED-LABEL: func.func @row
// LOWERED: llvm.load
// LOWERED: llvm.load
// LOWERED: scf.forall
// LOWERED: scf.for %
// LOWERED: %[[BOUND:.*]] = arith.minsi
// LOWERED-NEXT: scf.forall (%{{.*}}) {{(= .* to|in)}} (%[[BOUND]])
// LOWERED-NOT: scf.if
func.func @row(%starts: !llvm.ptr, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lanes = arith.constant 32 : index
  %stride = arith.constant 32 : i32
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (%lanes) {
    %ti = arith.index_castui %t : index to i32
    %first = llvm.load %starts : !llvm.ptr -> i32
    %after = llvm.getelementptr %starts[1] : (!llvm.ptr) -> !llvm.ptr, i32
    %end = llvm.load %after : !llvm.ptr -> i32
    %start = arith.addi %first, %ti overflow<nsw> : i32
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
}
