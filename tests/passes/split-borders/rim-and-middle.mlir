// RUN: %unwarp_opt --split-borders --simplify{after=privatize-atomics} %s | FileCheck %s
// RUN: %unwarp_opt --split-borders --split-borders --simplify{after=privatize-atomics} %s | FileCheck %s
// RUN: sed 's/mapping = .#gpu.thread/unwarp.fallback, &/' %s > %t.mlir && %unwarp_opt --split-borders %t.mlir > %t.out && %unwarp_opt %t.mlir | diff - %t.out

// The middle of a row has neither the clamp at its start nor the one at its end; the two ends share their code.
// CHECK-LABEL: func.func @clamped
// CHECK-SAME: (%[[FROM:.*]]: index, %[[TO:.*]]: index, %[[LAST:.*]]: i32
// CHECK: %[[M:.*]] = arith.minsi
// CHECK: %[[N:.*]] = arith.maxsi %{{.*}}, %[[M]]
// CHECK: scf.forall (%[[X:.*]]) = (%[[M]]) to (%[[N]])
// CHECK-NOT: arith.cmpi
// CHECK-NOT: arith.select
// CHECK-NOT: arith.minsi
// CHECK: scf.for %[[END:.*]] = %[[ZERO:.*]] to %c2
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[END]], %[[ZERO]]
// CHECK: %[[LOWER:.*]] = arith.select %[[FIRST]], %[[FROM]], %[[N]]
// CHECK: %[[UPPER:.*]] = arith.select %[[FIRST]], %[[M]], %[[TO]]
// CHECK: scf.forall (%{{.*}}) = (%[[LOWER]]) to (%[[UPPER]])
// CHECK: arith.select
// CHECK-NOT: scf.forall
func.func @clamped(%from: index, %to: index, %last: i32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.forall (%x) = (%from) to (%to) step (1) {
    %xi = arith.index_castui %x : index to i32
    %left = arith.cmpi eq, %xi, %zero : i32
    %before = arith.subi %xi, %one overflow<nsw> : i32
    %west = arith.select %left, %xi, %before : i32
    %after = arith.addi %xi, %one overflow<nsw> : i32
    %east = arith.minsi %after, %last : i32
    %west_at = llvm.getelementptr %p[%west] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %east_at = llvm.getelementptr %p[%east] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %a = llvm.load %west_at : !llvm.ptr -> f32
    %b = llvm.load %east_at : !llvm.ptr -> f32
    %sum = arith.addf %a, %b : f32
    %at = llvm.getelementptr %q[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %sum, %at : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// A row of known length stays one: blocks in the middle of the grid have no test in it.
// CHECK-LABEL: func.func @block
// CHECK: scf.if
// CHECK-NEXT: scf.forall (%{{.*}}) {{(= .* to|in)}} ({{%c16|16}})
// CHECK-NOT: scf.if
// CHECK: llvm.load
// CHECK: } else {
// CHECK: scf.forall (%{{.*}}) {{(= .* to|in)}} ({{%c16|16}})
// CHECK: scf.if
func.func @block(%base: i32, %n: i32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%x) in (%c16) {
    %xi = arith.index_castui %x : index to i32
    %at = arith.addi %base, %xi overflow<nsw> : i32
    %within = arith.cmpi slt, %at, %n : i32
    %value = scf.if %within -> (f32) {
      %from = llvm.getelementptr %p[%at] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %loaded = llvm.load %from : !llvm.ptr -> f32
      scf.yield %loaded : f32
    } else {
      scf.yield %zero : f32
    }
    %to = llvm.getelementptr %q[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %value, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
