// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Must refuse: a barrier in a region that cannot be split.
// RUN: not %unwarp_opt --mask %s 2>&1 | FileCheck %s
func.func @kernel(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  scf.forall (%i) in (%n) {
    scf.execute_region {
      // CHECK: error: a barrier or warp operation stands in control flow that cannot be split
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
