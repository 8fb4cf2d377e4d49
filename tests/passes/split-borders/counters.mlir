// RUN: %unwarp_opt --split-borders %s | FileCheck %s
// RUN: %unwarp_opt --split-borders --split-borders %s | FileCheck %s

// An index that a serial loop steps around the thread's, clamped from both sides: the middle begins and ends where the first and the
// last iteration reach no end. The row that is clamped too is the same for the row of threads. In the middle addresses are of 64 bits.
// Not where two counters are added up, nor where a bound is a thread's own.

// CHECK-LABEL: func.func @radius
// CHECK: scf.forall
// CHECK: scf.for %
// CHECK-NOT: arith.maxsi
// CHECK-NOT: arith.minsi
// CHECK: arith.addi {{.*}} overflow<nsw> : i64
// CHECK: llvm.getelementptr {{.*}} : (!llvm.ptr, i64)
// CHECK: } {mapping
// CHECK: scf.forall
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: } {mapping = [{{.*}}#gpu.thread<x>], unwarp.border, unwarp.fallback}
func.func @radius(%rows: index, %columns: index, %radius: i32, %n: i32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %none = arith.constant 0.0 : f32
  scf.forall (%y, %x) in (%rows, %columns) {
    %yi = arith.index_castui %y : index to i32
    %xi = arith.index_castui %x : index to i32
    %above = arith.maxsi %yi, %one : i32
    %start = arith.muli %above, %n overflow<nsw> : i32
    %least = arith.subi %zero, %radius overflow<nsw> : i32
    %end = arith.addi %radius, %one overflow<nsw> : i32
    %last = arith.addi %n, %minus overflow<nsw> : i32
    %sum = scf.for %d = %least to %end step %one iter_args(%s = %none) -> (f32) : i32 {
      %at = arith.addi %xi, %d overflow<nsw> : i32
      %low = arith.maxsi %at, %zero : i32
      %column = arith.minsi %low, %last : i32
      %i = arith.addi %start, %column overflow<nsw> : i32
      %l = arith.extsi %i : i32 to i64
      %address = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %address : !llvm.ptr -> f32
      %next = arith.addf %s, %v : f32
      scf.yield %next : f32
    }
    %to = llvm.getelementptr %q[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @two_counters
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
// CHECK-LABEL: func.func @own_bound
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
func.func @two_counters(%columns: index, %n: i32, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.forall (%x) in (%columns) {
    %xi = arith.index_castui %x : index to i32
    scf.for %d = %zero to %n step %one : i32 {
      scf.for %e = %zero to %n step %one : i32 {
        %there = arith.subi %xi, %d overflow<nsw> : i32
        %at = arith.addi %there, %e overflow<nsw> : i32
        %low = arith.maxsi %at, %zero : i32
        %address = llvm.getelementptr %p[%low] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %v, %address : f32, !llvm.ptr
      }
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @own_bound(%columns: index, %n: i32, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.forall (%x) in (%columns) {
    %xi = arith.index_castui %x : index to i32
    scf.for %d = %zero to %xi step %one : i32 {
      %at = arith.subi %xi, %d overflow<nsw> : i32
      %low = arith.maxsi %at, %one : i32
      %address = llvm.getelementptr %p[%low] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %v, %address : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
