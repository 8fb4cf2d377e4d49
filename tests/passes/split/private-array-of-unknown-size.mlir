// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Must refuse: private memory of unknown size across a barrier.
// RUN: not %unwarp_opt --split %s 2>&1 | FileCheck %s
func.func @kernel(%n: index, %size: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    // CHECK: error: a local array whose size is not a constant lives across a barrier; give it a constant size
    %m = llvm.alloca %size x f32 : (i32) -> !llvm.ptr
    func.call @fill(%m) : (!llvm.ptr) -> ()
    "unwarp.barrier"() {level = "block"} : () -> ()
    func.call @fill(%m) : (!llvm.ptr) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @fill(!llvm.ptr)
