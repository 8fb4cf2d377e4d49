// RUN: %unwarp_opt --licm %s | FileCheck %s
// RUN: %unwarp_opt --licm --licm %s | FileCheck %s

// A sum that every thread makes over the same array is made once, before the launch's loops, although what the threads store
// afterwards could be the same memory: in lock step, all have read before one writes.

// CHECK-LABEL: func.func @normalize
// CHECK: scf.for %
// CHECK: llvm.load
// CHECK: scf.forall
// CHECK: scf.forall
// CHECK-NOT: scf.for %
func.func @normalize(%blocks: index, %threads: index, %n: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%threads) {
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
        %ki = arith.index_cast %k : index to i64
        %at = llvm.getelementptr %in[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %x = llvm.load %at : !llvm.ptr -> f32
        %next = arith.addf %s, %x : f32
        scf.yield %next : f32
      }
      %ti = arith.index_cast %t : index to i64
      %own = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %own : f32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
