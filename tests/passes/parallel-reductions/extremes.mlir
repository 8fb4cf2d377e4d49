// RUN: %unwarp_opt --parallel-reductions %s | FileCheck %s
// RUN: %unwarp_opt --parallel-reductions %s > %t.once && %unwarp_opt --parallel-reductions --parallel-reductions %s | diff %t.once -

// Parts of the loop become a grid of their own where it is long and there are workers; what they found is joined with the start.

// CHECK-LABEL: func.func @least_and_sum
// CHECK-SAME: %[[P:[a-z0-9]*]]: !llvm.ptr, %[[N:[a-z0-9]*]]: i32, %[[START:[a-z0-9]*]]: i32
// CHECK-DAG: %[[ROOM:.*]] = llvm.alloca {{.*}} x i8
// CHECK-DAG: %[[SUMS:.*]] = llvm.alloca {{.*}} x i32
// CHECK: %[[WORKERS:.*]] = llvm.call @uwrt_max_workers
// CHECK: %[[SEVERAL:.*]] = arith.cmpi sgt, %[[WORKERS]]
// CHECK: %[[LONG:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : index
// CHECK: %[[BOTH:.*]] = arith.andi %[[SEVERAL]], %[[LONG]]
// CHECK: %[[R:.*]]:2 = scf.if %[[BOTH]] -> (i8, i32)
// CHECK: scf.forall (%[[PART:.*]]) {{=|in}}
// CHECK-DAG: %[[ALL:.*]] = arith.constant -1 : i8
// CHECK-DAG: %[[NONE:.*]] = arith.constant 0 : i32
// CHECK: %[[F:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[ALL]], %[[S:.*]] = %[[NONE]]) -> (i8, i32)
// CHECK: arith.minui
// CHECK: arith.addi %[[S]], %{{[a-z0-9]*}} : i32
// CHECK: llvm.store %[[F]]#0
// CHECK: llvm.store %[[F]]#1
// CHECK: mapping = [#gpu.block<x>]
// CHECK: %[[J:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %[[START]]) -> (i8, i32)
// CHECK-DAG: %[[X:.*]] = llvm.load {{.*}} -> i8
// CHECK-DAG: arith.minui %[[A]], %[[X]] : i8
// CHECK-DAG: %[[Y:.*]] = llvm.load {{.*}} -> i32
// CHECK-DAG: arith.addi %[[B]], %[[Y]] : i32
// CHECK: scf.yield %[[J]]#0, %[[J]]#1
// CHECK: else
// CHECK: %[[W:.*]]:2 = scf.for %
// CHECK: overflow<nsw>
// CHECK: scf.yield %[[W]]#0, %[[W]]#1
// CHECK: llvm.store %[[R]]#0
// CHECK: llvm.store %[[R]]#1
func.func @least_and_sum(%p: !llvm.ptr, %n: i32, %start: i32, %blocks: index) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %all = arith.constant 200 : i8
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %all, %s = %start) -> (i8, i32) : i32 {
    %at = llvm.getelementptr %p[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    %x = llvm.load %at : !llvm.ptr -> i8
    %v = arith.extui %x : i8 to i32
    %low = arith.minui %a, %x : i8
    %sum = arith.addi %s, %v overflow<nsw> : i32
    scf.yield %low, %sum : i8, i32
  }
  scf.forall (%b) in (%blocks) {
    llvm.store %r#0, %p : i8, !llvm.ptr
    llvm.store %r#1, %p : i32, !llvm.ptr
  } {mapping = [#gpu.block<x>]}
  return
}
