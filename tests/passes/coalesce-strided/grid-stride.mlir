// RUN: %unwarp_opt --coalesce-strided %s | FileCheck %s
// RUN: %unwarp_opt --coalesce-strided --coalesce-strided %s | FileCheck %s
// RUN: %unwarp_opt --coalesce-strided --lower-barriers --simplify{after=lower-barriers} --sink-stores --guards-to-bounds %s | FileCheck %s --check-prefix=LOWERED

// A strided loop becomes one that all threads go through together, with a barrier at its end; lowered, its threads are the
// innermost loop, as far as the range goes.

// CHECK-LABEL: func.func @sum
// CHECK: scf.forall (%[[T:.*]]) {{=|in}}
// CHECK: scf.for %[[BASE:.*]] = %{{.*}} to %[[N:.*]] step %{{.*}} iter_args
// CHECK: %[[LEFT:.*]] = arith.subi %[[N]], %[[BASE]] : index
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[T]], %[[LEFT]] : index
// CHECK: scf.if %[[IN]]
// CHECK: arith.addi %[[BASE]], %[[T]] : index
// CHECK: "unwarp.barrier"() {level = "block", unwarp.swap}
// CHECK-NOT: unwarp.barrier

// LOWERED-LABEL: func.func @sum
// LOWERED: scf.for %
// LOWERED: %[[BOUND:.*]] = arith.minsi %{{.*}}, %{{.*}} : index
// LOWERED-NEXT: scf.forall (%{{.*}}) {{(= .* to|in)}} (%[[BOUND]])
// LOWERED-NOT: scf.if
func.func @sum(%threads: index, %base: i32, %n: i32, %stride: i32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %start = arith.addi %base, %ti overflow<nsw> : i32
    %r:2 = scf.while (%s = %zero, %i = %start) : (f32, i32) -> (f32, i32) {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %s, %i : f32, i32
    } do {
    ^bb0(%s: f32, %i: i32):
      %wide = arith.extsi %i : i32 to i64
      %at = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %at : !llvm.ptr -> f32
      %next = arith.addf %s, %x : f32
      %j = arith.addi %i, %stride overflow<nsw> : i32
      scf.yield %next, %j : f32, i32
    }
    %own = llvm.getelementptr %q[%ti] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %r#0, %own : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
