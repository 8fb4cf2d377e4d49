// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of a row in which quotients are the same (split-divisions). With a rim at one end a part stays one loop: without the condition, or
// as it was.
// RUN: %unwarp_opt --split-borders %s | FileCheck %s
// RUN: sed 's/, unwarp.split//' %s > %t.mlir && %unwarp_opt --split-borders %t.mlir | FileCheck --check-prefix=ROW %s

// CHECK-LABEL: func.func @part
// CHECK: %[[ALL:.*]] = arith.andi
// CHECK: scf.if %[[ALL]]
// CHECK: scf.forall (%{{.*}}) = (%arg0) to (%arg1)
// CHECK: scf.if %true
// CHECK: } else {
// CHECK: scf.forall (%{{.*}}) = (%arg0) to (%arg1)
// CHECK: %[[INSIDE:.*]] = arith.cmpi
// CHECK: scf.if %[[INSIDE]]
// ROW-LABEL: func.func @part
// ROW: scf.forall (%{{.*}}) = (%{{.*}}) to (%[[HIGH:[0-9]+]])
// ROW: scf.forall (%{{.*}}) = (%[[HIGH]]) to (%arg1)
func.func @part(%from: index, %to: index, %last: i32, %p: !llvm.ptr) {
  scf.forall (%x) = (%from) to (%to) step (1) {
    %xi = arith.index_castui %x : index to i32
    %inside = arith.cmpi slt, %xi, %last : i32
    scf.if %inside {
      %at = llvm.getelementptr %p[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %xi, %at : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>], unwarp.split}
  return
}
