// RUN: %unwarp_opt --distribute-loops %s | FileCheck %s

// What is loaded before the branch of few threads and kept in a slot after it is kept before; not so if the branch reads the slot.

// CHECK-LABEL: func.func @kept
// CHECK: scf.forall
// CHECK: %[[X:.*]] = llvm.load
// CHECK: llvm.store %[[X]]
// CHECK: scf.forall
// CHECK: scf.if
// CHECK-LABEL: func.func @read
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
func.func @kept(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %slot = "unwarp.slot"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %a : !llvm.ptr -> f32
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      llvm.store %v, %q : f32, !llvm.ptr
    }
    %own = llvm.getelementptr %slot[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @read(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %slot = "unwarp.slot"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %a : !llvm.ptr -> f32
    %own = llvm.getelementptr %slot[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      %old = llvm.load %own : !llvm.ptr -> f32
      llvm.store %old, %q : f32, !llvm.ptr
    }
    llvm.store %x, %own : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
