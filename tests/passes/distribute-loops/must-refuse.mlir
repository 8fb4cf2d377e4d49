// RUN: %unwarp_opt --distribute-loops %s | FileCheck %s

// A value that was loaded before the branch and is used in it, and a branch that many threads take, keep the loop whole.

// CHECK-LABEL: func.func @loaded
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
// CHECK-LABEL: func.func @many
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
func.func @loaded(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %a : !llvm.ptr -> f32
    llvm.store %v, %a : f32, !llvm.ptr
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      llvm.store %x, %q : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @many(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %a : f32, !llvm.ptr
    %others = arith.cmpi ne, %t, %c0 : index
    scf.if %others {
      llvm.store %v, %q : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
