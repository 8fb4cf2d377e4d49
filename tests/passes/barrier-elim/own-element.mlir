// RUN: %unwarp_opt --barrier-elim %s | FileCheck %s
// RUN: %unwarp_opt --barrier-elim --barrier-elim %s | FileCheck %s
// RUN: %unwarp_opt --print-analysis=effects %s | FileCheck %s --check-prefix=FACTS

// A thread that reads back its own element needs no barrier; one that reads its neighbour's does.

// FACTS: thread loop in @own
// FACTS: access 0: llvm.store writes [[BASE:%[0-9a-z]+]] at 0 + 4*[[T:%[0-9a-z]+]], 4 bytes
// FACTS: access 1: llvm.load reads [[BASE]] at 0 + 4*[[T]], 4 bytes
// FACTS: barrier 0: before {0} after {1 2} orders nothing
// FACTS: thread loop in @neighbour
// FACTS: barrier 0: before {0} after {1 2} orders 0-1

// CHECK-LABEL: func.func @own
// CHECK-NOT: unwarp.barrier
// CHECK-LABEL: func.func @neighbour
// CHECK: unwarp.barrier
// CHECK-NOT: unwarp.barrier
func.func @own(%threads: index, %x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %own : !llvm.ptr -> f32
    %out = llvm.getelementptr %q[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %out : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @neighbour(%threads: index, %x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %next : !llvm.ptr -> f32
    %out = llvm.getelementptr %q[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %out : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
