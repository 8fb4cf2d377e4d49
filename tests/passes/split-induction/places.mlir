// RUN: %unwarp_opt --split-induction %s | FileCheck %s
// RUN: %unwarp_opt --split-induction --split-induction %s | FileCheck %s
// RUN: %unwarp_opt --split-induction --lower-barriers --simplify{after=lower-barriers} %s | FileCheck %s --check-prefix=LOWERED

// The position that each thread steps through the loop becomes its start and a distance that all share, of 64 bits where the sum is
// said not to wrap; nothing of it is kept across the barrier.

// CHECK-LABEL: func.func @stepped
// CHECK: %[[FAR0:.*]] = arith.constant 0 : i64
// CHECK: scf.for {{.*}} iter_args(%[[FAR:.*]] = %[[FAR0]]) -> (i64)
// CHECK-DAG: %[[STEP:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK-DAG: %[[NEXT:.*]] = arith.addi %[[FAR]], %[[STEP]] : i64
// CHECK-DAG: %[[AT:.*]] = arith.addi %{{.*}}, %[[FAR]] overflow<nsw> : i64
// CHECK: arith.trunci %[[AT]] overflow<nsw> : i64 to i32
// CHECK: "unwarp.barrier"
// CHECK: scf.yield %[[NEXT]] : i64
// CHECK-LABEL: func.func @wraps
// CHECK: scf.for {{.*}} -> (i32)
// CHECK-NOT: arith.extsi
// CHECK: "unwarp.barrier"

// LOWERED-LABEL: func.func @stepped
// LOWERED-NOT: unwarp.slot
// LOWERED-LABEL: func.func @wraps
func.func @stepped(%threads: index, %n: i32, %step: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  scf.forall (%t) in (%threads) {
    %start = arith.index_castui %t : index to i32
    %end = scf.for %k = %i0 to %n step %i1 iter_args(%at = %start) -> (i32) : i32 {
      %next = arith.addi %at, %step overflow<nsw> : i32
      %place = arith.extsi %at : i32 to i64
      %a = llvm.getelementptr %p[%place] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %k, %a : i32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %next : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @wraps(%threads: index, %n: i32, %step: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  scf.forall (%t) in (%threads) {
    %start = arith.index_castui %t : index to i32
    %end = scf.for %k = %i0 to %n step %i1 iter_args(%at = %start) -> (i32) : i32 {
      %next = arith.addi %step, %at : i32
      llvm.store %at, %p : i32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %next : i32
    }
    llvm.store %end, %p : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
