// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --coalesce-strided %s | FileCheck %s
// RUN: %unwarp_opt --coalesce-strided --coalesce-strided %s | FileCheck %s

// A counter that begins and ends where memory says, and that may wrap around: asked before the loop, which stays beside its iterations for all.

// CHECK-LABEL: func.func @between
// CHECK: scf.forall
// CHECK: %[[STEP:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: %[[NEXT:.*]] = arith.cmpi sle, %[[STEP]], %c2147483648 : index
// CHECK: %[[START:.*]] = arith.cmpi slt, %{{.*}}, %c2147483648{{.*}} : index
// CHECK: scf.if %{{.*}} {
// CHECK: scf.for %
// CHECK: "unwarp.barrier"
// CHECK: } else {
// CHECK: scf.while
// CHECK-NOT: "unwarp.barrier"
// CHECK: unwarp.plain
func.func @between(%threads: index, %ends: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %stride = arith.constant 64 : i32
  %first = llvm.load %ends : !llvm.ptr -> i32
  %after = llvm.getelementptr %ends[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %n = llvm.load %after : !llvm.ptr -> i32
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %start = arith.addi %ti, %first : i32
    %r = scf.while (%i = %start) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %to = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
      %j = arith.addi %i, %stride : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
