// RUN: %unwarp_opt --licm %s | FileCheck %s

// What may have been written before it, what only some threads read, a volatile load and an atomic stay inside.

// CHECK-LABEL: func.func @written_before
// CHECK: scf.forall
// CHECK: llvm.store
// CHECK: llvm.load
// CHECK-LABEL: func.func @some_threads
// CHECK: scf.forall
// CHECK: scf.if
// CHECK: llvm.load
// CHECK-LABEL: func.func @volatile
// CHECK: scf.forall
// CHECK: llvm.load volatile
// CHECK-LABEL: func.func @atomic
// CHECK: scf.forall
// CHECK: llvm.atomicrmw
func.func @written_before(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %q[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %own : f32, !llvm.ptr
    %x = llvm.load %p : !llvm.ptr -> f32
    %next = llvm.getelementptr %own[64] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %x, %next : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @some_threads(%threads: index, %n: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %in = arith.cmpi ult, %t, %n : index
    scf.if %in {
      %x = llvm.load %p : !llvm.ptr -> f32
      llvm.store %x, %q : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @volatile(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %x = llvm.load volatile %p : !llvm.ptr -> f32
    llvm.store %x, %q : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @atomic(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %x = llvm.atomicrmw add %p, %v seq_cst : !llvm.ptr, i32
    llvm.store %x, %q : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
