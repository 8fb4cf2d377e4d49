// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An exponential unrolled is kept, though the value that it is made of is kept too: it is not computed again after the barrier.
// A sum of as many integers is an address perhaps, and is.
// RUN: %unwarp_opt --split %s | FileCheck %s
func.func @kernel(%data: !llvm.ptr, %p: f32, %q: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.forall (%i) in (%c64) {
    %j = arith.index_cast %i : index to i64
    %px = llvm.getelementptr %data[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %px : !llvm.ptr -> f32
    %a0 = arith.mulf %x, %p : f32
    %a1 = arith.addf %a0, %p : f32
    %a2 = arith.mulf %a1, %x : f32
    %a3 = arith.addf %a2, %p : f32
    %a4 = arith.mulf %a3, %x : f32
    %a5 = arith.addf %a4, %p : f32
    %a6 = arith.mulf %a5, %x : f32
    %a7 = arith.addf %a6, %p : f32
    %a8 = arith.mulf %a7, %x : f32
    %a9 = arith.addf %a8, %p : f32
    %a10 = arith.mulf %a9, %x : f32
    %a11 = arith.addf %a10, %p : f32
    %a12 = arith.mulf %a11, %x : f32
    %k0 = arith.muli %j, %q : i64
    %k1 = arith.addi %k0, %q : i64
    %k2 = arith.muli %k1, %q : i64
    %k3 = arith.addi %k2, %q : i64
    %k4 = arith.muli %k3, %q : i64
    %k5 = arith.addi %k4, %q : i64
    %k6 = arith.muli %k5, %q : i64
    %k7 = arith.addi %k6, %q : i64
    %k8 = arith.muli %k7, %q : i64
    %k9 = arith.addi %k8, %q : i64
    %k10 = arith.muli %k9, %q : i64
    %k11 = arith.addi %k10, %q : i64
    %k12 = arith.muli %k11, %q : i64
    "unwarp.barrier"() {level = "block"} : () -> ()
    func.call @use(%x, %a12, %k12) : (f32, f32, i64) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @use(f32, f32, i64)

// CHECK-COUNT-2: unwarp.slot
// CHECK-NOT:     unwarp.slot
// CHECK:         scf.forall
// CHECK:           llvm.store
// CHECK:           llvm.store
// CHECK:         scf.forall
// CHECK-NOT:       arith.mulf
// CHECK:           arith.muli
// CHECK-NOT:       arith.mulf
// CHECK:           call @use
