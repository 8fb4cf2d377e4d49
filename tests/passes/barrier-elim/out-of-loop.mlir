// RUN: %unwarp_opt --barrier-elim %s | FileCheck %s

// Each thread adds to its own element in every iteration: one barrier after the loop is enough for the one who reads a neighbour's.

// CHECK-LABEL: func.func @iterations
// CHECK: scf.for %
// CHECK-NOT: unwarp.barrier
// CHECK: }
// CHECK: unwarp.barrier
// CHECK-NOT: unwarp.barrier
func.func @iterations(%threads: index, %n: index, %x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    scf.for %k = %c0 to %n step %c1 {
      %old = llvm.load %own : !llvm.ptr -> f32
      %new = arith.addf %old, %x : f32
      llvm.store %new, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
    %y = llvm.load %next : !llvm.ptr -> f32
    %out = llvm.getelementptr %q[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %out : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
