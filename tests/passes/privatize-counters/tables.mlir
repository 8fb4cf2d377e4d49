// RUN: %unwarp_opt --privatize-counters %s | FileCheck %s
// RUN: %unwarp_opt --privatize-counters --privatize-counters %s | FileCheck %s

// Two additions a thread: the second one goes to a table of its own, which is cleared before and added after the loop.
// CHECK-LABEL: func.func @counts
// CHECK: %[[S:.*]] = "unwarp.shared"
// CHECK: %[[MORE:.*]] = "unwarp.shared"(%{{.*}}) {alignment = 16 : i64}
// CHECK-NOT: unwarp.shared
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c256
// CHECK: llvm.getelementptr %[[MORE]]
// CHECK: llvm.store %{{.*}} : i32
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %arg0 step
// CHECK: %[[A:.*]] = llvm.getelementptr %[[S]]
// CHECK: llvm.atomicrmw add %[[A]], %{{.*}} monotonic
// CHECK: %[[B:.*]] = llvm.getelementptr %[[MORE]]
// CHECK: llvm.atomicrmw add %[[B]], %{{.*}} monotonic
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c256
// CHECK: llvm.getelementptr %[[S]]
// CHECK: llvm.getelementptr %[[MORE]]
// CHECK: arith.addi
// CHECK: llvm.store
// CHECK-NOT: unwarp.shared
// CHECK-NOT: scf.for %
// CHECK: return
func.func @counts(%n: index, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %one = arith.constant 1 : i32
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  scf.for %i = %c0 to %n step %c256 {
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %at = arith.addi %i, %x : index
      %atl = arith.index_cast %at : index to i64
      %p = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i16
      %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i8
      %w = llvm.load %q : !llvm.ptr -> i8
      %vl = arith.extui %v : i8 to i64
      %wl = arith.extui %w : i8 to i64
      %a = llvm.getelementptr %s[%vl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %b = llvm.getelementptr %s[%wl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old_a = llvm.atomicrmw add %a, %one monotonic : !llvm.ptr, i32
      %old_b = llvm.atomicrmw add %b, %one monotonic : !llvm.ptr, i32
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  }
  return
}
