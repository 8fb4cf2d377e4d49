// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {

// Under a mask a division by a number stays one, which becomes a product; by what is not known, and by -1, with which the least number
// traps, the lanes that take no part divide by 1.
// CHECK-LABEL: func.func @digits
// CHECK: scf.while
// CHECK: do
// CHECK: %[[TEN:.*]] = arith.constant dense<10>
// CHECK: arith.divsi %{{.*}}, %[[TEN]]
// CHECK: %[[OTHER:.*]] = arith.select
// CHECK: arith.divsi %{{.*}}, %[[OTHER]]
// CHECK: %[[BACK:.*]] = arith.constant dense<-1>
// CHECK: %[[SAFE:.*]] = arith.select %{{.*}}, %[[BACK]]
// CHECK: arith.divsi %{{.*}}, %[[SAFE]]
func.func @digits(%n: i32, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %ten = arith.constant 10 : i32
  %back = arith.constant -1 : i32
  scf.forall (%t) in (%c64) {
    %t64 = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %in[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %start = llvm.load %from : !llvm.ptr -> i32
    %r:2 = scf.while (%k = %start, %s = %zero) : (i32, f32) -> (i32, f32) {
      %more = arith.cmpi sgt, %k, %n : i32
      scf.condition(%more) %k, %s : i32, f32
    } do {
    ^bb0(%k: i32, %s: f32):
      %q = arith.divsi %k, %ten : i32
      %o = arith.divsi %q, %start : i32
      %m = arith.divsi %o, %back : i32
      %x = arith.sitofp %m : i32 to f32
      %e1 = math.exp %x : f32
      %e2 = math.sin %e1 : f32
      %e3 = math.cos %e2 : f32
      %e4 = math.exp %e3 : f32
      %sum = arith.addf %s, %e4 : f32
      scf.yield %q, %sum : i32, f32
    }
    %to = llvm.getelementptr %out[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %r#1, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
