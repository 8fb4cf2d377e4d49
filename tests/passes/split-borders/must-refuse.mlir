// RUN: %unwarp_opt --split-borders %s | FileCheck %s

// Arithmetic that may wrap around, a bound of each thread's own, and a comparison that decides about values only: one loop each.

// CHECK-LABEL: func.func @may_wrap
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
func.func @may_wrap(%to: index, %n: i32, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  scf.forall (%x) in (%to) {
    %xi = arith.index_castui %x : index to i32
    %moved = arith.addi %xi, %n : i32
    %below = arith.cmpi ult, %moved, %n : i32
    %at = arith.select %below, %xi, %zero : i32
    %address = llvm.getelementptr %p[%at] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %v, %address : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @own_bound
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
func.func @own_bound(%to: index, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  scf.forall (%x) in (%to) {
    %xi = arith.index_castui %x : index to i32
    %own_at = llvm.getelementptr %p[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %own = llvm.load %own_at : !llvm.ptr -> i32
    %below = arith.cmpi slt, %xi, %own : i32
    %at = arith.select %below, %xi, %zero : i32
    %address = llvm.getelementptr %p[%at] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %v, %address : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @value
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
func.func @value(%to: index, %n: i32, %p: !llvm.ptr, %v: f32, %w: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%x) in (%to) {
    %xi = arith.index_castui %x : index to i32
    %below = arith.cmpi slt, %xi, %n : i32
    %value = arith.select %below, %v, %w : f32
    %address = llvm.getelementptr %p[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %value, %address : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
