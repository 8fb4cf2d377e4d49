// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that stay as they are.
// RUN: %unwarp_opt --split-index-bits %s | FileCheck %s
// CHECK-NOT: "lane"

// A mask whose low bits are mixed, a remainder by what is no multiple of 16, a part of the index that does not start at zero.
func.func @mixed(%from: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c40 = arith.constant 40 : index
  %m = arith.constant 5 : i32
  %zero = arith.constant 0 : i32
  scf.forall (%t) in (%c64) {
    %v = arith.index_castui %t : index to i32
    %k = arith.andi %v, %m : i32
    %p = llvm.getelementptr %from[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %zero, %p : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  scf.forall (%t) in (%c64) {
    %k = arith.remui %t, %c40 : index
    %k64 = arith.index_castui %k : index to i64
    %p = llvm.getelementptr %from[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %zero, %p : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  scf.forall (%t) = (%c1) to (%c64) step (1) {
    %v = arith.index_castui %t : index to i32
    %m31 = arith.constant 31 : i32
    %k = arith.andi %v, %m31 : i32
    %p = llvm.getelementptr %from[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %zero, %p : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// A number of threads that is no multiple; a loop inside; an atomic; a mask that decides only, and one of the thread's own.
func.func @others(%from: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c33 = arith.constant 33 : index
  %c64 = arith.constant 64 : index
  %m = arith.constant 31 : i32
  %zero = arith.constant 0 : i32
  scf.forall (%t) in (%c33) {
    %v = arith.index_castui %t : index to i32
    %k = arith.andi %v, %m : i32
    %p = llvm.getelementptr %from[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %zero, %p : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  scf.forall (%t) in (%c64) {
    %v = arith.index_castui %t : index to i32
    %k = arith.andi %v, %m : i32
    %p = llvm.getelementptr %from[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    scf.for %i = %c0 to %c2 step %c1 {
      llvm.store %zero, %p : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  scf.forall (%t) in (%c64) {
    %v = arith.index_castui %t : index to i32
    %k = arith.andi %v, %m : i32
    %p = llvm.getelementptr %from[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %old = llvm.atomicrmw add %p, %v monotonic : !llvm.ptr, i32
  } {mapping = [#gpu.thread<x>]}
  scf.forall (%t) in (%c64) {
    %v = arith.index_castui %t : index to i32
    %k = arith.andi %v, %m : i32
    %own = arith.andi %v, %v : i32
    %is_first = arith.cmpi eq, %k, %zero : i32
    %p = llvm.getelementptr %from[%own] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    scf.if %is_first {
      llvm.store %zero, %p : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// What is stored under a condition stays so in global memory, where another block may write, and where the address was not loaded.
// CHECK-LABEL: @branches(
// CHECK-NOT:   arith.select
func.func @branches(%p: !llvm.ptr, %y: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %m = arith.constant 1 : i32
  %bytes = arith.constant 4096 : i64
  %tile = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c64) {
    %v = arith.index_castui %t : index to i32
    %k = arith.andi %v, %m : i32
    %q = llvm.getelementptr %p[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %s = llvm.getelementptr %tile[%v] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %x = llvm.load %q : !llvm.ptr -> i32
    %less = arith.cmpi slt, %x, %y : i32
    scf.if %less {
      llvm.store %y, %q : i32, !llvm.ptr
    }
    scf.if %less {
      llvm.store %y, %s : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
