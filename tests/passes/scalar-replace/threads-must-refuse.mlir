// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locations that have to stay in memory.
// RUN: %unwarp_opt --scalar-replace{scope=lanes} %s | FileCheck %s
// CHECK-LABEL: @others(
// CHECK-NOT: scf.if

// A location that changes; one that is read where the counter does not tell; a barrier; an atomic; a volatile load;
// integers, which are LLVM's.
func.func @others(%n: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3 : i64
  scf.forall (%t) in (%c1) {
    scf.for %k = %c0 to %n step %c1 {
      %k64 = arith.index_castui %k : index to i64
      %q = llvm.getelementptr %out[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %x = llvm.load %q : !llvm.ptr -> f32
      %sum = arith.addf %x, %one : f32
      llvm.store %sum, %q : f32, !llvm.ptr
    }
    scf.for %k = %c0 to %n step %c1 {
      %k64 = arith.index_castui %k : index to i64
      %bits = arith.andi %k64, %three : i64
      %q = llvm.getelementptr %in[%bits] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %x = llvm.load %out : !llvm.ptr -> f32
      %y = llvm.load %q : !llvm.ptr -> f32
      %sum = arith.addf %x, %y : f32
      llvm.store %sum, %out : f32, !llvm.ptr
    }
    scf.for %k = %c0 to %n step %c1 {
      %x = llvm.load %out : !llvm.ptr -> f32
      %sum = arith.addf %x, %one : f32
      llvm.store %sum, %out : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
    scf.for %k = %c0 to %n step %c1 {
      %x = llvm.load %out : !llvm.ptr -> f32
      %old = llvm.atomicrmw fadd %in, %x monotonic : !llvm.ptr, f32
      %sum = arith.addf %x, %one : f32
      llvm.store %sum, %out : f32, !llvm.ptr
    }
    scf.for %k = %c0 to %n step %c1 {
      %x = llvm.load volatile %out : !llvm.ptr -> f32
      %sum = arith.addf %x, %one : f32
      llvm.store %sum, %out : f32, !llvm.ptr
    }
    %seven = arith.constant 7 : i32
    scf.for %k = %c0 to %n step %c1 {
      %x = llvm.load %out : !llvm.ptr -> i32
      %sum = arith.addi %x, %seven : i32
      llvm.store %sum, %out : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
