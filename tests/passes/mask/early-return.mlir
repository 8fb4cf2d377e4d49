// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that left take no part after the barrier, but meet it.
// RUN: %unwarp_opt --mask %s | FileCheck %s
func.func @kernel(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  %last = arith.constant 100 : index
  scf.forall (%i) in (%n) {
    %stays = arith.cmpi ult, %i, %last : index
    scf.if %stays {
      %v = func.call @first(%i) : (index) -> f32
      "unwarp.barrier"() {level = "block"} : () -> ()
      func.call @second(%v) : (f32) -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @first(index) -> f32
func.func private @second(f32)

// CHECK:      %[[STAYS:.*]] = arith.cmpi ult
// CHECK-NEXT: %[[V:.*]] = scf.if %[[STAYS]] -> (f32) {
// CHECK-NEXT:   %[[FIRST:.*]] = func.call @first
// CHECK-NEXT:   scf.yield %[[FIRST]]
// CHECK-NEXT: } else {
// CHECK-NEXT:   ub.poison
// CHECK:      }
// CHECK-NEXT: "unwarp.barrier"
// CHECK-NEXT: scf.if %[[STAYS]] {
// CHECK-NEXT:   func.call @second(%[[V]])
