// RUN: %unwarp_opt --split-addresses --simplify{after=privatize-atomics} %s | FileCheck %s

// A sum that several choices use is taken apart once, not once for each way to it: there are as many choices as before.
// CHECK-LABEL: func.func @advances
// CHECK-COUNT-3: arith.select
// CHECK-NOT: arith.select
// CHECK: llvm.getelementptr
func.func @advances(%n: index, %start: i32, %a: i1, %b: i1, %c: i1, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  scf.forall (%x) in (%n) {
    %xi = arith.index_castui %x : index to i32
    %i0 = arith.addi %start, %xi overflow<nsw> : i32
    %j0 = arith.addi %i0, %one overflow<nsw> : i32
    %i1 = arith.select %a, %i0, %j0 : i32
    %j1 = arith.addi %i1, %one overflow<nsw> : i32
    %i2 = arith.select %b, %i1, %j1 : i32
    %j2 = arith.addi %i2, %one overflow<nsw> : i32
    %i3 = arith.select %c, %i2, %j2 : i32
    %wide = arith.extsi %i3 : i32 to i64
    %address = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %address : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
