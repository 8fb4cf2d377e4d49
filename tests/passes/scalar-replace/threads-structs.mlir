// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums in the fields of one struct: all stay in registers, under one check of the struct against the rows of what is read.
// Before packets, so that lanes neither gather nor scatter them.
// RUN: %unwarp_opt --scalar-replace{scope=lanes} %s | FileCheck %s
// RUN: %unwarp_opt --scalar-replace{scope=lanes} --vectorize-threads %s | FileCheck %s --check-prefix=LANES

module attributes {unwarp.register_bytes = 64 : i64} {

// CHECK-LABEL: func.func @fields(
// CHECK:       scf.if
// CHECK-COUNT-1: arith.minui
// CHECK-NOT:     arith.minui
// CHECK:         scf.if
// CHECK-COUNT-2: llvm.load
// CHECK:           %[[SUMS:.*]]:2 = scf.for %
// CHECK-COUNT-2:     llvm.load
// CHECK-NOT:         llvm.load
// CHECK-NOT:         llvm.store
// CHECK:             scf.yield
// CHECK-DAG:       llvm.store %[[SUMS]]#0
// CHECK-DAG:       llvm.store %[[SUMS]]#1
// CHECK:         } else {
// CHECK-COUNT-4:     llvm.load
// CHECK:         {unwarp.versions}

// Lanes take the version with registers where the check holds for all of them, without masks.
// LANES-LABEL: func.func @fields(
// LANES:       %[[ALL:.*]] = "llvm.intr.vector.reduce.and"
// LANES:       scf.if %[[ALL]]
// LANES:         scf.for %
// LANES-NOT:       masked.scatter
// LANES:           arith.addf {{.*}} : vector<
// LANES-NOT:       masked.scatter
// LANES:           scf.yield
// LANES:         masked.scatter
// LANES:       } else {
func.func @fields(%sums: !llvm.ptr, %in: !llvm.ptr, %n: i32, %threads: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%threads) {
    %i = arith.index_cast %t : index to i64
    %p = llvm.getelementptr inbounds %sums[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(f32, f32)>
    %q = llvm.getelementptr inbounds %p[4] : (!llvm.ptr) -> !llvm.ptr, i8
    scf.for %k = %z to %n step %one : i32 {
      %ki = arith.extsi %k : i32 to i64
      %a = llvm.getelementptr inbounds %in[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(f32, f32)>
      %b = llvm.getelementptr inbounds %a[4] : (!llvm.ptr) -> !llvm.ptr, i8
      %x0 = llvm.load %a : !llvm.ptr -> f32
      %x = arith.mulf %x0, %x0 : f32
      %y = llvm.load %b : !llvm.ptr -> f32
      %s = llvm.load %p : !llvm.ptr -> f32
      %s2 = arith.addf %s, %x : f32
      llvm.store %s2, %p : f32, !llvm.ptr
      %r = llvm.load %q : !llvm.ptr -> f32
      %r2 = arith.addf %r, %y : f32
      llvm.store %r2, %q : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
}
