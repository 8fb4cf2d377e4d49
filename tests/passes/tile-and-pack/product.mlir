// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over products: iterations are taken as many as a tile has room for, the sums wait in memory. Another version is the loop as it was.
// Both are left alone the second time.
// RUN: %unwarp_opt --tile-and-pack %s | FileCheck %s
// RUN: %unwarp_opt --tile-and-pack --tile-and-pack %s | FileCheck %s

// CHECK-LABEL: func.func @product
// CHECK:       %[[ROWS:.*]] = arith.cmpi sge, %arg2, %c8
// CHECK:       scf.if
// CHECK:         %[[SOME:.*]] = arith.divui %c8192, %arg1
// CHECK:         %[[SUMS:.*]] = "unwarp.slot"
// CHECK:         %[[TILE:.*]] = "unwarp.slot"
// CHECK:         scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) {{(= .* to|in)}} (%c1, %arg2, %arg1)
// CHECK-NOT:     scf.for %
// CHECK:           llvm.store %cst
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %{{.*}} step %[[SOME]]
// CHECK:           scf.forall
// CHECK:             %[[COPIED:.*]] = llvm.load
// CHECK:             %[[PLACE:.*]] = llvm.getelementptr %[[TILE]]
// CHECK:             llvm.store %[[COPIED]], %[[PLACE]]
// CHECK:           scf.forall
// CHECK:             %[[SUM:.*]] = llvm.load
// CHECK:             scf.for {{.*}} iter_args(%{{.*}} = %[[SUM]], %[[ROW:.*]] = %{{.*}})
// CHECK:               arith.addi %[[ROW]], %{{.*}} : index
// CHECK:               llvm.getelementptr %[[TILE]]
// CHECK-NOT:           llvm.getelementptr %arg4
// CHECK:         scf.forall
// CHECK-NOT:       scf.for %
// CHECK:           llvm.store
// CHECK:       } else {
// CHECK:         scf.forall
// CHECK:           scf.for %{{.*}} = %c0 to %arg6
// CHECK-NOT:   scf.forall
// CHECK:       return
func.func @product(%along: index, %width: index, %height: index, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%block) in (%along) {
    scf.forall (%z, %y, %x) in (%c1, %height, %width) {
      %row = arith.muli %y, %n : index
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
        %i = arith.addi %row, %k : index
        %i64 = arith.index_cast %i : index to i64
        %p = llvm.getelementptr %a[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %u = llvm.load %p : !llvm.ptr -> f32
        %above = arith.muli %k, %n : index
        %j = arith.addi %above, %x : index
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
