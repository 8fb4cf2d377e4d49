// RUN: %unwarp_opt --split-interior %s | FileCheck %s
// RUN: %unwarp_opt --split-interior --split-interior %s | FileCheck %s

// A condition on two dimensions of the thread index is asked of the thread that is nearest to failing: the last one for an upper bound, the
// first one for a lower one. One that rises along a dimension on both sides, and an unsigned one, are left alone.

// CHECK-LABEL: func.func @both
// CHECK-DAG: %[[Y:.*]] = arith.subi %arg0, %{{.*}} : index
// CHECK-DAG: %[[X:.*]] = arith.subi %arg1, %{{.*}} : index
// CHECK: %[[FAR:.*]] = arith.muli %[[Y]], %{{.*}} : index
// CHECK: %[[LAST:.*]] = arith.addi %[[FAR]], %[[X]] : index
// CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[LAST]], %arg2 : index
// CHECK: %[[NEAR:.*]] = arith.muli %c0{{[_0-9]*}}, %{{.*}} : index
// CHECK: %[[FIRST:.*]] = arith.addi %[[NEAR]], %c0{{[_0-9]*}} : index
// CHECK: %[[NOT:.*]] = arith.cmpi slt, %[[FIRST]], %arg3 : index
// CHECK: %[[ABOVE:.*]] = arith.xori %[[NOT]], %{{.*}} : i1
// CHECK: %[[ALL:.*]] = arith.andi %[[BELOW]], %[[ABOVE]] : i1
// CHECK: scf.if %[[ALL]] {
// CHECK-NEXT: scf.forall
// CHECK-NOT: scf.if
// CHECK: } else {
// CHECK-NEXT: scf.forall
// CHECK: scf.if
// CHECK-LABEL: func.func @none
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall

func.func @both(%rows: index, %threads: index, %end: index, %start: index, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %true = arith.constant true
  scf.forall (%y, %x) in (%rows, %threads) {
    %far = arith.muli %y, %c100 : index
    %at = arith.addi %far, %x : index
    %below = arith.cmpi slt, %at, %end : index
    %not = arith.cmpi slt, %at, %start : index
    %above = arith.xori %not, %true : i1
    %in = arith.andi %below, %above : i1
    %i = arith.index_cast %at : index to i64
    %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %w = scf.if %in -> (f32) {
      %l = llvm.load %a : !llvm.ptr -> f32
      scf.yield %l : f32
    } else {
      scf.yield %v : f32
    }
    llvm.store %w, %p : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @none(%rows: index, %threads: index, %end: index, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%y, %x) in (%rows, %threads) {
    %sum = arith.addi %y, %x : index
    %difference = arith.subi %end, %x : index
    %rest = arith.subi %x, %y : index
    %twice = arith.cmpi slt, %sum, %rest : index
    %plain = arith.cmpi ult, %sum, %difference : index
    %in = arith.andi %twice, %plain : i1
    %w = scf.if %in -> (f32) {
      %l = llvm.load %p : !llvm.ptr -> f32
      scf.yield %l : f32
    } else {
      scf.yield %v : f32
    }
    llvm.store %w, %p : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}
