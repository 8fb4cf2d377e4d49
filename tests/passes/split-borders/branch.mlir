// RUN: %unwarp_opt --split-borders %s | FileCheck %s
// RUN: %unwarp_opt --split-borders --split-borders %s | FileCheck %s
// RUN: %unwarp_opt --split-borders --simplify %s | FileCheck %s --check-prefix=CLEAN

// In a short row a clamped index that only a branch uses goes where the threads that come to the branch are none of those that it
// clamps: here from the inner branch's bound and the outer one's. The conditions stay. An index that is used beside the branch does not go
// so: the whole row would have to be middle.

// CHECK-LABEL: func.func @clamped
// CHECK: %[[START:.*]] = arith.maxsi %{{.*}}, %{{.*}} : index
// CHECK: %[[LOW:.*]] = arith.cmpi sle, %{{.*}}, %[[START]] : index
// CHECK: arith.cmpi sge
// CHECK: %[[ALL:.*]] = arith.andi %[[LOW]], %{{.*}} : i1
// CHECK: scf.if %[[ALL]] {
// CHECK-NEXT: scf.forall
// CHECK: scf.if
// CHECK: } else {
// CHECK-NEXT: scf.forall
// CHECK-NOT: scf.forall
// CHECK-LABEL: func.func @beside

// CLEAN-LABEL: func.func @clamped
// CLEAN: scf.forall
// CLEAN-NOT: arith.select
// CLEAN: } else {
// CLEAN-COUNT-2: arith.select
// CLEAN-LABEL: func.func @beside
// CLEAN: arith.cmpi eq
// CLEAN: arith.cmpi eq
func.func @clamped(%rows: index, %least: index, %last: index, %i: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%y, %x) in (%rows, %c16) {
    %above = arith.cmpi sgt, %x, %least : index
    %left = arith.subi %x, %c1 : index
    %w = arith.select %above, %left, %least : index
    %below = arith.cmpi slt, %x, %last : index
    %right = arith.addi %x, %c1 : index
    %e = arith.select %below, %right, %last : index
    %outer = arith.cmpi sgt, %x, %i : index
    scf.if %outer {
      %inner = arith.cmpi slt, %x, %last : index
      scf.if %inner {
        %wl = arith.index_cast %w : index to i64
        %el = arith.index_cast %e : index to i64
        %a = llvm.getelementptr %p[%wl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %b = llvm.getelementptr %p[%el] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %l = llvm.load %a : !llvm.ptr -> f32
        %r = llvm.load %b : !llvm.ptr -> f32
        %sum = arith.addf %l, %r : f32
        %xl = arith.index_cast %x : index to i64
        %o = llvm.getelementptr %q[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %sum, %o : f32, !llvm.ptr
      }
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @beside(%rows: index, %least: index, %i: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%y, %x) in (%rows, %c16) {
    %above = arith.cmpi sgt, %x, %least : index
    %left = arith.subi %x, %c1 : index
    %w = arith.select %above, %left, %least : index
    %wl = arith.index_cast %w : index to i64
    %a = llvm.getelementptr %p[%wl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %l = llvm.load %a : !llvm.ptr -> f32
    %outer = arith.cmpi sgt, %x, %i : index
    scf.if %outer {
      %xl = arith.index_cast %x : index to i64
      %o = llvm.getelementptr %q[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %l, %o : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}
