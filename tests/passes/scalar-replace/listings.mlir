// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Listings 4 and 5 of "Experiences Building an MLIR-Based SYCL Compiler": a location that a loop adds to is loaded before it (which runs once at least), carried in a register,
// and stored after it. Two accessors are apart (unwarp.restrict); of two plain pointers the launch is asked; of two that the threads load
// nothing can be asked.
// RUN: %unwarp_opt --scalar-replace %s | FileCheck %s

// CHECK-LABEL: @accessors(
// CHECK:       arith.cmpi slt, %c0, %arg0
// CHECK-NEXT:  scf.if
// CHECK:       %[[first:.*]] = llvm.load %[[place:.*]] {unwarp.restrict = 1 : i32}
// CHECK-NEXT:  %[[sum:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[first]])
// CHECK-NOT:   llvm.store
// CHECK:       llvm.store %[[sum]], %[[place]]
func.func @accessors(%n: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.forall (%block) in (%c64) {
    scf.forall (%t) in (%c64) {
      %inside = llvm.load %in : !llvm.ptr -> !llvm.ptr
      %outside = llvm.load %out : !llvm.ptr -> !llvm.ptr
      %own = arith.index_castui %t : index to i64
      %p = llvm.getelementptr %outside[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      scf.for %k = %c0 to %n step %c1 {
        %k64 = arith.index_castui %k : index to i64
        %q = llvm.getelementptr %inside[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %x = llvm.load %p {unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        %y = llvm.load %q {unwarp.restrict = 2 : i32} : !llvm.ptr -> f32
        %sum = arith.addf %x, %y : f32
        llvm.store %sum, %p {unwarp.restrict = 1 : i32} : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// CHECK-LABEL: @loaded(
// CHECK-NOT:   iter_args
// CHECK:       return
func.func @loaded(%n: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.forall (%block) in (%c64) {
    scf.forall (%t) in (%c64) {
      %own = arith.index_castui %t : index to i64
      %way = llvm.getelementptr %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
      %outside = llvm.load %way : !llvm.ptr -> !llvm.ptr
      scf.for %k = %c0 to %n step %c1 {
        %k64 = arith.index_castui %k : index to i64
        %q = llvm.getelementptr %in[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %x = llvm.load %outside : !llvm.ptr -> f32
        %y = llvm.load %q : !llvm.ptr -> f32
        %sum = arith.addf %x, %y : f32
        llvm.store %sum, %outside : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
