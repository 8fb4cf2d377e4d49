// RUN: %unwarp_opt --barrier-elim %s | FileCheck %s

// What may not go: a barrier before a call that could see memory; one after which an address is overwritten that others read; one
// that only some threads come by (the others meet at another); one at which threads elect a writer of one address.

// CHECK-LABEL: func.func @call
// CHECK: unwarp.barrier
// CHECK-LABEL: func.func @overwritten
// CHECK: unwarp.barrier
// CHECK-LABEL: func.func @some_threads
// CHECK: unwarp.barrier
// CHECK: unwarp.barrier
// CHECK-LABEL: func.func @election
// CHECK: unwarp.barrier
llvm.func @other()
func.func @call(%threads: index, %x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    llvm.store %x, %q : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    llvm.call @other() : () -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @overwritten(%threads: index, %x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %q[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %y = llvm.load %next : !llvm.ptr -> f32
    "unwarp.barrier"() {level = "block"} : () -> ()
    llvm.store %y, %own : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @some_threads(%threads: index, %half: index, %x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %low = arith.cmpi ult, %t, %half : index
    scf.if %low {
      "unwarp.barrier"() {level = "block"} : () -> ()
    } else {
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @election(%threads: index, %q: !llvm.ptr, %r: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = llvm.mlir.constant(8 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 8 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    llvm.store %ti, %s : i64, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %winner = llvm.load %s : !llvm.ptr -> i64
    %out = llvm.getelementptr %q[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %winner, %out : i64, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
