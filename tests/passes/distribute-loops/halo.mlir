// RUN: %unwarp_opt --distribute-loops %s | FileCheck %s
// RUN: %unwarp_opt --distribute-loops --distribute-loops %s | FileCheck %s
// RUN: %unwarp_opt --distribute-loops --guards-to-bounds %s | FileCheck %s --check-prefix=COLUMN

// What the first thread does gets a loop of its own between what all do before and after it; tightened, it is a loop over one.

// CHECK-LABEL: func.func @halo
// CHECK: scf.forall
// CHECK: llvm.store %{{.*}}, %[[A:.*]] : f32
// CHECK: scf.forall
// CHECK: scf.if
// CHECK: llvm.store
// CHECK: scf.forall
// CHECK-NOT: scf.if
// CHECK: llvm.store
// CHECK: return

// COLUMN-LABEL: func.func @halo
// COLUMN: scf.forall
// COLUMN: %[[END:.*]] = arith.minsi
// COLUMN: scf.forall (%{{.*}}) {{(= .* to|in)}} (%[[END]])
// COLUMN-NOT: scf.if
func.func @halo(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %a : f32, !llvm.ptr
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      %x = llvm.load %r : !llvm.ptr -> f32
      llvm.store %x, %q : f32, !llvm.ptr
    }
    %b = llvm.getelementptr %a[64] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %v, %b : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
