// RUN: %unwarp_opt --unswitch %s | FileCheck %s

// A choice between two is LLVM's; one that threads make each for themselves stays in their loop.

// CHECK-LABEL: func.func @two
// CHECK-NEXT: arith.constant
// CHECK-NEXT: arith.constant
// CHECK-NEXT: scf.forall
// CHECK: scf.if %arg1
func.func @two(%threads: index, %wide: i1, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %i = arith.index_cast %t : index to i64
    %mine = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    scf.if %wide {
      llvm.store %i, %mine : i64, !llvm.ptr
    } else {
      %x = arith.trunci %i : i64 to i32
      llvm.store %x, %mine : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @own
// CHECK-NEXT: arith.constant
// CHECK-NEXT: arith.constant
// CHECK-NEXT: scf.forall
// CHECK: scf.index_switch
func.func @own(%threads: index, %kinds: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %i = arith.index_cast %t : index to i64
    %place = llvm.getelementptr %kinds[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %kind = llvm.load %place : !llvm.ptr -> i64
    %chosen = arith.index_cast %kind : i64 to index
    %mine = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    scf.index_switch %chosen
    case 0 {
      llvm.store %kind, %mine : i64, !llvm.ptr
      scf.yield
    }
    case 1 {
      llvm.store %i, %mine : i64, !llvm.ptr
      scf.yield
    }
    case 2 {
      %x = arith.addi %i, %kind : i64
      llvm.store %x, %mine : i64, !llvm.ptr
      scf.yield
    }
    case 3 {
      %x = arith.muli %i, %i : i64
      llvm.store %x, %mine : i64, !llvm.ptr
      scf.yield
    }
    default {
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
