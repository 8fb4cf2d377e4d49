// RUN: %unwarp_opt --borders --simplify-rows %s | FileCheck %s

// Threads below %k do nothing: the middle is above, and there is no test in it.
// CHECK-LABEL: func.func @above
// CHECK: scf.parallel (%{{.*}}) = (%arg0) to (%[[M:.*]]) step
// CHECK: scf.if
// CHECK: scf.parallel (%{{.*}}) = (%[[M]]) to (%{{.*}}) step
// CHECK-NOT: scf.if
// CHECK: llvm.store
// CHECK: scf.reduce
func.func @above(%from: index, %to: index, %k: i32, %p: !llvm.ptr, %v: f32) {
  %c1 = arith.constant 1 : index
  scf.parallel (%x) = (%from) to (%to) step (%c1) {
    %xi = arith.index_castui %x : index to i32
    %below = arith.cmpi slt, %xi, %k : i32
    %at = llvm.getelementptr %p[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    scf.if %below {
    } else {
      llvm.store %v, %at : f32, !llvm.ptr
    }
    scf.reduce
  } {unwarp.level = "block"}
  return
}
