// RUN: %unwarp_opt --distribute-loops %s | FileCheck %s
// RUN: %unwarp_opt --distribute-loops --distribute-loops %s | FileCheck %s

// Two elements of a thread, 1 KiB apart: one loop for the first ones, one for the second ones.

// CHECK-LABEL: func.func @add
// CHECK: scf.forall
// CHECK: llvm.load
// CHECK-NOT: llvm.load
// CHECK: llvm.store
// CHECK: scf.forall
// CHECK-NOT: scf.forall
// CHECK: llvm.getelementptr %{{.*}}[256]
// CHECK: llvm.load
// CHECK-NOT: llvm.load
// CHECK: llvm.store
// CHECK-NOT: scf.forall
// CHECK: return
func.func @add(%threads: index, %p: !llvm.ptr, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %x = llvm.load %a : !llvm.ptr -> i32
    %xs = arith.addi %x, %v : i32
    llvm.store %xs, %a : i32, !llvm.ptr
    %b = llvm.getelementptr %a[256] : (!llvm.ptr) -> !llvm.ptr, i32
    %y = llvm.load %b : !llvm.ptr -> i32
    %ys = arith.addi %y, %v : i32
    llvm.store %ys, %b : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Three, of two arrays.

// CHECK-LABEL: func.func @copy
// CHECK-COUNT-3: scf.forall
// CHECK-NOT: scf.forall
// CHECK: return
func.func @copy(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %a0 = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %b0 = llvm.getelementptr %q[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %x0 = llvm.load %a0 : !llvm.ptr -> i32
    llvm.store %x0, %b0 : i32, !llvm.ptr
    %a1 = llvm.getelementptr %a0[128] : (!llvm.ptr) -> !llvm.ptr, i32
    %b1 = llvm.getelementptr %b0[128] : (!llvm.ptr) -> !llvm.ptr, i32
    %x1 = llvm.load %a1 : !llvm.ptr -> i32
    llvm.store %x1, %b1 : i32, !llvm.ptr
    %a2 = llvm.getelementptr %a0[256] : (!llvm.ptr) -> !llvm.ptr, i32
    %b2 = llvm.getelementptr %b0[256] : (!llvm.ptr) -> !llvm.ptr, i32
    %x2 = llvm.load %a2 : !llvm.ptr -> i32
    llvm.store %x2, %b2 : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
