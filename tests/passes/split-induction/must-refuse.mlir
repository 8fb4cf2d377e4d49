// RUN: %unwarp_opt --split-induction %s | FileCheck %s

// A loop without a barrier, a step of the thread's own, and a start that all share anyway.

// CHECK-LABEL: func.func @no_barrier
// CHECK: iter_args(%{{.*}} = %{{.*}}) -> (i32)
// CHECK-NEXT: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK-LABEL: func.func @own_step
// CHECK: iter_args(%{{.*}} = %{{.*}}) -> (i32)
// CHECK-NEXT: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK-LABEL: func.func @shared_start
// CHECK: iter_args(%{{.*}} = %{{.*}}) -> (i32)
// CHECK-NEXT: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
func.func @no_barrier(%threads: index, %n: i32, %step: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  scf.forall (%t) in (%threads) {
    %start = arith.index_castui %t : index to i32
    %end = scf.for %k = %i0 to %n step %i1 iter_args(%at = %start) -> (i32) : i32 {
      %next = arith.addi %at, %step overflow<nsw> : i32
      llvm.store %at, %p : i32, !llvm.ptr
      scf.yield %next : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @own_step(%threads: index, %n: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  scf.forall (%t) in (%threads) {
    %start = arith.index_castui %t : index to i32
    %end = scf.for %k = %i0 to %n step %i1 iter_args(%at = %start) -> (i32) : i32 {
      %next = arith.addi %at, %start overflow<nsw> : i32
      llvm.store %at, %p : i32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %next : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @shared_start(%threads: index, %n: i32, %step: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  scf.forall (%t) in (%threads) {
    %end = scf.for %k = %i0 to %n step %i1 iter_args(%at = %n) -> (i32) : i32 {
      %next = arith.addi %at, %step overflow<nsw> : i32
      llvm.store %at, %p : i32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %next : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
