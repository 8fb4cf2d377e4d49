// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

// No loop, but five elements of each thread side by side, which LLVM's vectoriser leaves scalar: 16 threads at a time. Four it takes itself, 16 are
// windows.c's in shared memory.
module attributes {unwarp.register_bytes = 64 : i64} {
// CHECK-LABEL: func.func @five
// CHECK: llvm.intr.masked.gather
// CHECK: llvm.intr.masked.scatter {{.*}} vector<16xf32>
// CHECK-LABEL: func.func @four
// CHECK-NOT: vector<
// CHECK-LABEL: func.func @sixteen
// CHECK-NOT: vector<
func.func @five(%n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    %i = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<5 x f32>
    %b = llvm.getelementptr %a[4] : (!llvm.ptr) -> !llvm.ptr, i8
    %x = llvm.load %a : !llvm.ptr -> f32
    %y = llvm.load %b : !llvm.ptr -> f32
    %sum = arith.addf %x, %y : f32
    %more = arith.mulf %sum, %x : f32
    %most = arith.mulf %more, %y : f32
    llvm.store %most, %a : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @four(%n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    %i = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x f32>
    %b = llvm.getelementptr %a[4] : (!llvm.ptr) -> !llvm.ptr, i8
    %x = llvm.load %a : !llvm.ptr -> f32
    %y = llvm.load %b : !llvm.ptr -> f32
    %sum = arith.addf %x, %y : f32
    llvm.store %sum, %a : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @sixteen(%n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    %i = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<16 x f32>
    %b = llvm.getelementptr %a[4] : (!llvm.ptr) -> !llvm.ptr, i8
    %x = llvm.load %a : !llvm.ptr -> f32
    %y = llvm.load %b : !llvm.ptr -> f32
    %sum = arith.addf %x, %y : f32
    llvm.store %sum, %a : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
