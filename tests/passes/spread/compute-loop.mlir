// RUN: %unwarp_opt --spread %s | FileCheck %s
// RUN: %unwarp_opt --spread --spread %s | FileCheck %s
// RUN: %unwarp_opt --spread --lower-barriers %s | FileCheck %s --check-prefix=SWAPPED

// A loop that computes, with bounds that all threads share, gets one barrier at the end of its body, once. Lowering then
// puts the threads inside it.

// CHECK-LABEL: func.func @compute
// CHECK: scf.parallel
// CHECK: scf.for
// CHECK: "unwarp.barrier"() {level = "block"}
// CHECK-NOT: unwarp.barrier
// CHECK: scf.yield

// SWAPPED-LABEL: func.func @compute
// SWAPPED: scf.for
// SWAPPED: scf.parallel
// SWAPPED: arith.mulf
// SWAPPED-NOT: unwarp.barrier
func.func @compute(%threads: index, %n: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%t) = (%c0) to (%threads) step (%c1) {
    %ti = arith.index_cast %t : index to i64
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %mine : !llvm.ptr -> f32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
      %ki = arith.index_cast %k : index to i64
      %other = llvm.getelementptr %q[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %other : !llvm.ptr -> f32
      %a = arith.subf %y, %x : f32
      %b = arith.mulf %a, %a : f32
      %c = arith.addf %b, %y : f32
      %d = arith.mulf %c, %a : f32
      %e = arith.mulf %d, %b : f32
      %f = arith.addf %e, %d : f32
      %g = arith.mulf %f, %y : f32
      %next = arith.addf %s, %g : f32
      scf.yield %next : f32
    }
    llvm.store %sum, %mine : f32, !llvm.ptr
    scf.reduce
  } {unwarp.level = "block"}
  return
}
