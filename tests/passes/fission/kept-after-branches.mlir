// RUN: %unwarp_opt --fission %s | FileCheck %s

// What is loaded before the branch of few threads and kept in a slot after it is kept before; not so if the branch reads the slot.

// CHECK-LABEL: func.func @kept
// CHECK: scf.parallel
// CHECK: %[[X:.*]] = llvm.load
// CHECK: llvm.store %[[X]]
// CHECK: scf.parallel
// CHECK: scf.if
// CHECK-LABEL: func.func @read
// CHECK-COUNT-1: scf.parallel
// CHECK-NOT: scf.parallel
func.func @kept(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %slot = "unwarp.slot"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.parallel (%t) = (%c0) to (%threads) step (%c1) {
    %ti = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %a : !llvm.ptr -> f32
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      llvm.store %v, %q : f32, !llvm.ptr
    }
    %own = llvm.getelementptr %slot[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    scf.reduce
  } {unwarp.level = "block"}
  return
}

func.func @read(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %slot = "unwarp.slot"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.parallel (%t) = (%c0) to (%threads) step (%c1) {
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
    scf.reduce
  } {unwarp.level = "block"}
  return
}
