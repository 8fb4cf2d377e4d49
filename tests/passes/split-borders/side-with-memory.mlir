// RUN: %unwarp_opt --split-borders --simplify{after=privatize-atomics} %s | FileCheck %s

// Threads below %k do nothing: the middle is above, and there is no test in it.
// CHECK-LABEL: func.func @above
// CHECK: scf.forall (%{{.*}}) = (%arg0) to (%[[M:.*]]) step
// CHECK: scf.if
// CHECK: scf.forall (%{{.*}}) = (%[[M]]) to (%{{.*}}) step
// CHECK-NOT: scf.if
// CHECK: llvm.store
// CHECK: } {mapping
func.func @above(%from: index, %to: index, %k: i32, %p: !llvm.ptr, %v: f32) {
  %c1 = arith.constant 1 : index
  scf.forall (%x) = (%from) to (%to) step (1) {
    %xi = arith.index_castui %x : index to i32
    %below = arith.cmpi slt, %xi, %k : i32
    %at = llvm.getelementptr %p[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    scf.if %below {
    } else {
      llvm.store %v, %at : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
