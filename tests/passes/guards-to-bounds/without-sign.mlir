// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --guards-to-bounds %s | FileCheck %s

// What is added has a sign where the sum would wrap around, as -3 does; the sum is then above zero, too. That the sums of the first and
// the last thread come out so, and that sums below zero count as more than the limit, is asked; else the loop stays as it is.
// CHECK-LABEL: func.func @plus
// CHECK: %[[SMALL:.*]] = arith.cmpi ule, %{{.*}}, %c2147483648
// CHECK: arith.index_cast %arg0 : i32 to index
// CHECK: arith.index_castui %arg0 : i32 to index
// CHECK: arith.cmpi sge, %{{.*}}, %c-1048576
// CHECK: arith.ori %[[SMALL]]
// CHECK: arith.select
// CHECK: arith.minsi
// CHECK: %[[LOWER:.*]] = arith.maxsi
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %{{.*}}, %c4294967295
// CHECK: %[[ABOVE:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : index
// CHECK: %[[ALL:.*]] = arith.andi %[[FITS]], %[[ABOVE]] : i1
// CHECK: scf.if %[[ALL]]
// CHECK: scf.forall (%{{.*}}) = (%[[LOWER]]) to
// CHECK-NOT: scf.if
// CHECK: } else {
// CHECK: scf.forall (%{{.*}}) {{(= .* to|in)}} (%c64)
// CHECK: scf.if
// CHECK: unwarp.plain
func.func @plus(%by: i32, %n: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.forall (%t) in (%c64) {
    %i = arith.index_castui %t : index to i32
    %x = arith.addi %i, %by : i32
    %in = arith.cmpi ult, %x, %n : i32
    scf.if %in {
      %to = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %x, %to : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// A sum that is said not to wrap around without sign is not below zero: one bound, and no question.
// CHECK-LABEL: func.func @of_grid
// CHECK-NOT: arith.maxsi
// CHECK-NOT: scf.if
// CHECK: scf.forall (%{{.*}}) in
// CHECK-NOT: scf.if
func.func @of_grid(%b: index, %size: i32, %n: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %threads = arith.index_castui %size : i32 to index
  %block = arith.index_castui %b : index to i32
  %first = arith.muli %block, %size : i32
  scf.forall (%t) in (%threads) {
    %i = arith.index_castui %t : index to i32
    %x = arith.addi %first, %i overflow<nuw> : i32
    %in = arith.cmpi ult, %x, %n : i32
    scf.if %in {
      %to = llvm.getelementptr %p[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %x, %to : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// What is multiplied may be below zero: two.
// CHECK-LABEL: func.func @of_steps
// CHECK: %[[FROM:.*]] = arith.maxsi
// CHECK: scf.if
// CHECK: scf.forall (%{{.*}}) = (%[[FROM]]) to
// CHECK-NOT: scf.if
// CHECK: } else {
func.func @of_steps(%b: index, %size: i32, %n: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %block = arith.index_castui %b : index to i32
  %first = arith.muli %block, %size : i32
  scf.forall (%t) in (%threads) {
    %i = arith.index_castui %t : index to i32
    %x = arith.addi %first, %i : i32
    %in = arith.cmpi ult, %x, %n : i32
    scf.if %in {
      %to = llvm.getelementptr %p[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %x, %to : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
