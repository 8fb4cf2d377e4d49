// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop without a barrier stays inside.
// RUN: %unwarp_opt --interchange %s | FileCheck %s
// RUN: %unwarp_opt --interchange --interchange %s | FileCheck %s
func.func @kernel(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  scf.forall (%i) in (%n) {
    "unwarp.barrier"() {level = "block"} : () -> ()
    scf.for %j = %c0 to %n step %c1 {
      func.call @a() : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @a()

// CHECK:      scf.forall
// CHECK-NEXT:   "unwarp.barrier"
// CHECK-NEXT:   scf.for %
