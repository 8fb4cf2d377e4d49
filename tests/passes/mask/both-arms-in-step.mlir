// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in both arms are one barrier, as on a GPU.
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
      "unwarp.barrier"() {level = "block"} : () -> ()
      func.call @d() : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @a()
func.func private @b()
func.func private @c()
func.func private @d()

// CHECK:     call @a
// CHECK:     call @c
// CHECK:     unwarp.barrier
// CHECK:     call @b
// CHECK-NOT: unwarp.barrier
// CHECK:     call @d
