// RUN: %unwarp_opt --split-borders %s | FileCheck %s
// RUN: %unwarp_opt --split-borders --split-borders %s | FileCheck %s

// A part of one quotient, as split-divisions leaves it: the remainder is a sum of 64 bits, cut to 32 of which the flag says that they
// hold it. What belongs to the column before where it is 0 is the first thread alone. Without the flag the cut integer may be 0 anywhere.

// CHECK-LABEL: func.func @remainder
// CHECK: scf.forall
// CHECK: arith.select
// CHECK: } {mapping = [{{.*}}#gpu.thread<x>], unwarp.border, unwarp.fallback}
// CHECK: scf.forall
// CHECK-NOT: arith.cmpi
// CHECK: } {mapping = [#gpu.thread<
// CHECK-NOT: scf.forall
// CHECK-LABEL: func.func @may_be_cut
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
func.func @remainder(%from: index, %to: index, %away: i64, %rows: i32, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : index
  scf.forall (%x) = (%from) to (%to) step (1) {
    %xl = arith.index_cast %x : index to i64
    %sum = arith.addi %away, %xl overflow<nsw> : i64
    %remainder = arith.trunci %sum overflow<nsw, nuw> : i64 to i32
    %inside = arith.cmpi ne, %remainder, %c0 : i32
    %row = arith.select %inside, %remainder, %rows : i32
    %address = llvm.getelementptr %p[%row] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %v, %address : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @may_be_cut(%from: index, %to: index, %away: i64, %rows: i32, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : index
  scf.forall (%x) = (%from) to (%to) step (1) {
    %xl = arith.index_cast %x : index to i64
    %sum = arith.addi %away, %xl overflow<nsw> : i64
    %remainder = arith.trunci %sum overflow<nuw> : i64 to i32
    %inside = arith.cmpi ne, %remainder, %c0 : i32
    %row = arith.select %inside, %remainder, %rows : i32
    %address = llvm.getelementptr %p[%row] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %v, %address : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
