// RUN: %unwarp_opt --sink-stores %s | FileCheck %s
// RUN: %unwarp_opt --sink-stores --sink-stores %s | FileCheck %s

// What else leaves in its slot is not stored again, and then not loaded outside of the branch; a result that goes to other memory
// is stored for all threads.

// CHECK-LABEL: func.func @kept
// CHECK-NOT: llvm.load
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: llvm.load
// CHECK-NEXT: arith.addf
// CHECK-NEXT: llvm.store
// CHECK-NEXT: }
// CHECK-LABEL: func.func @other_memory
// CHECK: scf.if %{{.*}} -> (f32)
func.func @kept(%threads: index, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %slot = "unwarp.slot"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %slot[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %old = llvm.load %own : !llvm.ptr -> f32
    %in = arith.cmpi slt, %t, %n : index
    %r = scf.if %in -> (f32) {
      %new = arith.addf %old, %x : f32
      scf.yield %new : f32
    } else {
      scf.yield %old : f32
    }
    llvm.store %r, %own : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @other_memory(%threads: index, %n: index, %x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %slot = "unwarp.slot"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %slot[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %out = llvm.getelementptr %q[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %old = llvm.load %own : !llvm.ptr -> f32
    %in = arith.cmpi slt, %t, %n : index
    %r = scf.if %in -> (f32) {
      %new = arith.addf %old, %x : f32
      scf.yield %new : f32
    } else {
      scf.yield %old : f32
    }
    llvm.store %r, %out : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
