// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --form-warps --simplify %s | FileCheck %s

// Without warp operations a block stays one. A signed division rounds towards zero: where values below zero are among the lanes it
// is not the same for all of them; nor is anything where the offset is no multiple of 32.

// CHECK-LABEL: func.func @no_warps
// CHECK-NOT: "lane"
func.func @no_warps(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %five = arith.constant 5 : index
  scf.forall (%x) in (%n) {
    %w = arith.shrui %x, %five : index
    func.call @put(%w) : (index) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @below_zero
// CHECK: {{scf.forall.*}}
// CHECK: scf.forall
// CHECK: arith.divsi
// CHECK: arith.shrui
// CHECK: {mapping = [#gpu.lane<x>]}
func.func @below_zero(%odd: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 64 : index
  %back = arith.constant -64 : i32
  %lanes = arith.constant 32 : i32
  %five = arith.constant 5 : i32
  %true = arith.constant true
  scf.forall (%x) in (%size) {
    %xi = arith.index_castui %x : index to i32
    %i = arith.addi %xi, %back : i32
    %q = arith.divsi %i, %lanes : i32
    %k = arith.addi %xi, %odd : i32
    %r = arith.shrui %k, %five : i32
    %s = arith.addi %q, %r : i32
    %v = "unwarp.shuffle"(%s, %five, %true) : (i32, i32, i1) -> i32
    %at = llvm.getelementptr %p[%v] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %s, %at : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @put(index)
