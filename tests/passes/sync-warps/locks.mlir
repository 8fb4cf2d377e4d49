// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes that come one by one are not in step: after a lock, and under a condition on what an atomic operation gave. Nor in a loop that
// waits and after it. A barrier there would hold the lane that lets the others in.
// RUN: %unwarp_opt --sync-warps %s | FileCheck %s
// CHECK-NOT: unwarp.barrier
func.func private @uwrt_stuck()
func.func @lock(%n: index, %cell: !llvm.ptr, %lock: !llvm.ptr, %flags: !llvm.ptr, %turn: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  scf.forall (%i) in (%n) {
    %t = arith.index_castui %i : index to i32
    scf.while : () -> () {
      %pair = llvm.cmpxchg %lock, %zero, %one monotonic monotonic : !llvm.ptr, i32
      %got = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
      %again = arith.xori %got, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    %old = llvm.load volatile %cell : !llvm.ptr -> i32
    %new = arith.muli %old, %t : i32
    llvm.store volatile %new, %cell : i32, !llvm.ptr
    %freed = llvm.atomicrmw xchg %lock, %zero monotonic : !llvm.ptr, i32
  } {mapping = [#gpu.thread<x>]}
  scf.forall (%i) in (%n) {
    %t = arith.index_castui %i : index to i32
    %wide = arith.extui %t : i32 to i64
    %own = llvm.getelementptr inbounds %flags[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %left = llvm.getelementptr inbounds %own[-4] : (!llvm.ptr) -> !llvm.ptr, i8
    scf.while : () -> () {
      %flag = llvm.load volatile %left : !llvm.ptr -> i32
      %more = arith.cmpi eq, %flag, %zero : i32
      scf.condition(%more)
    } do {
      func.call @uwrt_stuck() : () -> ()
      scf.yield
    }
    llvm.store volatile %one, %own : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
