// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An exchange of values learns who takes part.
// RUN: %unwarp_opt --mask %s | FileCheck %s
func.func @kernel(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  %one = arith.constant 1 : i32
  %true = arith.constant true
  %half = arith.constant 16 : index
  scf.forall (%l) in (%n) {
    %low = arith.cmpi ult, %l, %half : index
    scf.if %low {
      %v = func.call @get() : () -> f32
      %w = "unwarp.shuffle"(%v, %one, %true) : (f32, i32, i1) -> f32
      func.call @put(%w) : (f32) -> ()
    }
  } {mapping = [#gpu.lane<x>]}
  return
}
func.func private @get() -> f32
func.func private @put(f32)

// CHECK:      %[[LOW:.*]] = arith.cmpi
// CHECK:      %[[V:.*]] = scf.if %[[LOW]]
// CHECK:      %[[W:.*]] = "unwarp.shuffle"(%[[V]], %{{.*}}, %[[LOW]])
// CHECK:      scf.if %[[LOW]]
// CHECK-NEXT:   call @put(%[[W]])
