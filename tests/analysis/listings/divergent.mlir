// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Listing 2 of "Experiences Building an MLIR-Based SYCL Compiler": an item's index decides what goes into memory of its own, and what is
// loaded from there is no more the same for all than the index is.
// RUN: %unwarp_opt --print-analysis=uniformity %s | FileCheck %s

// CHECK-LABEL: thread loop in @divergent
// CHECK:       arith.cmpi: divergent
// CHECK:       llvm.load: divergent: from a private array, stored under control flow that is not uniform
func.func @divergent(%n: index, %p: i1, %q: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%n) {
    %m = llvm.alloca %one x i1 : (i32) -> !llvm.ptr
    %own = arith.index_castui %t : index to i64
    %condition = arith.cmpi sgt, %own, %zero : i64
    scf.if %condition {
      llvm.store %p, %m : i1, !llvm.ptr
    } else {
      llvm.store %q, %m : i1, !llvm.ptr
    }
    %again = llvm.load %m : !llvm.ptr -> i1
  } {mapping = [#gpu.thread<x>]}
  return
}
