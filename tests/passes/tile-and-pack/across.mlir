// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --tile-and-pack %s | FileCheck %s
// RUN: %unwarp_opt --tile-and-pack --tile-and-pack %s | FileCheck %s

// A product with the transpose: each thread of a row goes through a row of its own. The tile has them the other way
// round, so that threads load neighbours; nothing is asked about how far it reaches. Two elements at a time it is none.

// CHECK-LABEL: func.func @transposed
// CHECK-COUNT-2: "unwarp.slot"
// CHECK: scf.for %
// CHECK: scf.forall
// CHECK: %[[V:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: llvm.store %[[V]]
// CHECK: scf.forall
// CHECK: scf.for %
// CHECK: arith.mulf
// CHECK-LABEL: func.func @every_second
// CHECK-NOT: "unwarp.slot"
func.func @transposed(%along: index, %width: index, %height: index, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%block) in (%along) {
    scf.forall (%z, %y, %x) in (%c1, %height, %width) {
      %row = arith.muli %y, %n : index
      %other = arith.muli %x, %n : index
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
        %i = arith.addi %row, %k : index
        %i64 = arith.index_cast %i : index to i64
        %p = llvm.getelementptr %a[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %u = llvm.load %p : !llvm.ptr -> f32
        %j = arith.addi %other, %k : index
        %j64 = arith.index_cast %j : index to i64
        %q = llvm.getelementptr %b[%j64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %q : !llvm.ptr -> f32
        %w = arith.mulf %u, %v : f32
        %t = arith.addf %s, %w : f32
        scf.yield %t : f32
      }
      %m = arith.addi %row, %x : index
      %m64 = arith.index_cast %m : index to i64
      %r = llvm.getelementptr %c[%m64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %r : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @every_second(%along: index, %width: index, %height: index, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%block) in (%along) {
    scf.forall (%z, %y, %x) in (%c1, %height, %width) {
      %row = arith.muli %y, %n : index
      %other = arith.muli %x, %n : index
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
        %i = arith.addi %row, %k : index
        %i64 = arith.index_cast %i : index to i64
        %p = llvm.getelementptr %a[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %u = llvm.load %p : !llvm.ptr -> f32
        %k2 = arith.muli %k, %c2 : index
        %j = arith.addi %other, %k2 : index
        %j64 = arith.index_cast %j : index to i64
        %q = llvm.getelementptr %b[%j64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %q : !llvm.ptr -> f32
        %w = arith.mulf %u, %v : f32
        %t = arith.addf %s, %w : f32
        scf.yield %t : f32
      }
      %m = arith.addi %row, %x : index
      %m64 = arith.index_cast %m : index to i64
      %r = llvm.getelementptr %c[%m64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %r : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
