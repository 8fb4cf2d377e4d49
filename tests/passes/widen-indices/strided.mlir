// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counter of a strided loop, cut from an index that fits: a product with it is computed in 64 bits. Where it is said to
// fit without sign only, or not at all, an extension with sign stays; so does one of a product that may wrap around.
// RUN: %unwarp_opt --widen-indices %s | FileCheck %s
// RUN: %unwarp_opt --widen-indices --widen-indices %s | FileCheck %s

// CHECK-LABEL: func.func @triples
// CHECK: %[[I:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: %[[L:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK: %[[T:.*]] = arith.muli %[[L]], %{{.*}} overflow<nsw> : i64
// CHECK: llvm.getelementptr %{{.*}}[%[[T]]]
// CHECK-LABEL: func.func @without_sign
// CHECK: %[[L:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: llvm.getelementptr %{{.*}}[%[[L]]]
// CHECK-LABEL: func.func @not_said
// CHECK: %[[L:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: llvm.getelementptr %{{.*}}[%[[L]]]
// CHECK-LABEL: func.func @may_wrap
// CHECK: %[[L:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: llvm.getelementptr %{{.*}}[%[[L]]]
func.func @triples(%threads: index, %low: index, %high: index, %step: index, %x: f32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i32
  scf.for %b = %low to %high step %step {
    scf.forall (%t) in (%threads) {
      %at = arith.addi %b, %t : index
      %i = arith.index_cast %at {unwarp.exact = "signed"} : index to i32
      %j = arith.muli %i, %three overflow<nsw> : i32
      %l = arith.extsi %j : i32 to i64
      %a = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %x, %a : f32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  }
  return
}

func.func @without_sign(%threads: index, %low: index, %high: index, %step: index, %x: f32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i32
  scf.for %b = %low to %high step %step {
    scf.forall (%t) in (%threads) {
      %at = arith.addi %b, %t : index
      %i = arith.index_cast %at {unwarp.exact = "unsigned"} : index to i32
      %j = arith.muli %i, %three overflow<nsw> : i32
      %l = arith.extsi %j : i32 to i64
      %a = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %x, %a : f32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  }
  return
}

func.func @not_said(%threads: index, %low: index, %high: index, %step: index, %x: f32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i32
  scf.for %b = %low to %high step %step {
    scf.forall (%t) in (%threads) {
      %at = arith.addi %b, %t : index
      %i = arith.index_cast %at : index to i32
      %j = arith.muli %i, %three overflow<nsw> : i32
      %l = arith.extsi %j : i32 to i64
      %a = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %x, %a : f32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  }
  return
}

func.func @may_wrap(%threads: index, %low: index, %high: index, %step: index, %x: f32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i32
  scf.for %b = %low to %high step %step {
    scf.forall (%t) in (%threads) {
      %at = arith.addi %b, %t : index
      %i = arith.index_cast %at {unwarp.exact = "signed"} : index to i32
      %j = arith.muli %i, %three : i32
      %l = arith.extsi %j : i32 to i64
      %a = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %x, %a : f32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  }
  return
}
