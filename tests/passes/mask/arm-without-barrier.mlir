// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arm without a barrier stands before that of the other arm, whose threads see after it what was written there.
// RUN: %unwarp_opt --mask %s | FileCheck %s
func.func @kernel(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  %half = arith.constant 16 : index
  scf.forall (%i) in (%n) {
    %low = arith.cmpi ult, %i, %half : index
    scf.if %low {
      func.call @a() : () -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
      func.call @b() : () -> ()
    } else {
      func.call @c() : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @a()
func.func private @b()
func.func private @c()

// CHECK:     call @a
// CHECK:     call @c
// CHECK:     unwarp.barrier
// CHECK:     call @b
