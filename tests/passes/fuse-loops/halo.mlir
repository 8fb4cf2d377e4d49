// RUN: %unwarp_opt --distribute-loops --guards-to-bounds --fuse-loops %s | FileCheck %s
// RUN: %unwarp_opt --distribute-loops --guards-to-bounds --fuse-loops --fuse-loops %s | FileCheck %s

// The column's part is done after the row that it belongs to; the first row's part has rows of its own, and stays, and so does a
// loop that was one of its own.

// CHECK-LABEL: func.func @halo
// CHECK: scf.forall (%{{.*}}, %{{.*}}) {{(= .* to|in)}}
// CHECK: scf.forall (%{{[a-z0-9]*}}) {{=|in}}
// CHECK: llvm.store %{{.*}}, %[[A:.*]] : f32
// CHECK: scf.forall (%{{[a-z0-9]*}}) {{=|in}}
// CHECK-NOT: scf.if
// CHECK: llvm.load
// CHECK: llvm.store
// CHECK: scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) {{=|in}}
// CHECK: llvm.store
// CHECK: scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) {{=|in}}
// CHECK: llvm.store
// CHECK: return
func.func @halo(%height: index, %width: index, %p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%z, %y, %x) in (%c1, %height, %width) {
    %row = arith.muli %y, %width : index
    %at = arith.addi %row, %x : index
    %i = arith.index_cast %at : index to i64
    %k = arith.index_cast %y : index to i64
    %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %a : f32, !llvm.ptr
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %e = llvm.getelementptr %r[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %f = llvm.load %e : !llvm.ptr -> f32
      %b = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %f, %b : f32, !llvm.ptr
    }
    %top = arith.cmpi eq, %y, %c0 : index
    scf.if %top {
      %c = llvm.getelementptr %a[64] : (!llvm.ptr) -> !llvm.ptr, f32
      llvm.store %v, %c : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  scf.forall (%z, %y, %x) in (%c1, %height, %width) {
    %k = arith.index_cast %y : index to i64
    %a = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %a : f32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
