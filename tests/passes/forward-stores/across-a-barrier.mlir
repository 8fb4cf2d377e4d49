// RUN: %unwarp_opt --forward-stores %s | FileCheck %s
// RUN: %unwarp_opt --forward-stores --forward-stores %s | FileCheck %s
// RUN: %unwarp_opt --forward-stores --barrier-elim %s | FileCheck %s --check-prefix=GONE

// A thread's own value comes back across a barrier; then the first store is overwritten before anybody reads it, and the barrier
// after it orders nothing.

// CHECK-LABEL: func.func @weights
// CHECK: [[W:%[0-9a-z]+]] = llvm.load %arg
// CHECK-NOT: llvm.store
// CHECK: unwarp.barrier
// CHECK-NOT: llvm.load
// CHECK: [[P:%[0-9a-z]+]] = arith.mulf [[W]]
// CHECK: llvm.store [[P]]
// CHECK: unwarp.barrier
// CHECK: llvm.load
// GONE-LABEL: func.func @weights
// GONE: unwarp.barrier
// GONE-NOT: unwarp.barrier
func.func @weights(%w: !llvm.ptr, %x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  %a = llvm.load %w : !llvm.ptr -> f32
  scf.forall (%y, %t) in (%c16, %c16) {
    %yi = arith.index_castui %y : index to i64
    %ti = arith.index_castui %t : index to i64
    %row = llvm.getelementptr inbounds|nuw %s[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<16 x f32>
    %own = llvm.getelementptr inbounds|nuw %row[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %a, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %b = llvm.load %own : !llvm.ptr -> f32
    %p = arith.mulf %b, %x : f32
    llvm.store %p, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %first = llvm.getelementptr inbounds|nuw %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %z = llvm.load %first : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %z, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}
