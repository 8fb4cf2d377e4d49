// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The next value of what a loop carries is known before the old one is used: the slot is read before it is written.
// RUN: %unwarp_opt --lower-barriers %s | FileCheck %s

func.func @kernel(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    %start = func.call @get() : () -> f32
    scf.for %j = %c0 to %n step %c1 iter_args(%x = %start) -> (f32) {
      %next = func.call @get() : () -> f32
      func.call @use(%x) : (f32) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %next : f32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @get() -> f32
func.func private @use(f32)

// CHECK:      scf.for %
// CHECK:        %[[X:.*]] = llvm.load
// CHECK:        %[[NEXT:.*]] = func.call @get
// CHECK:        llvm.store %[[NEXT]]
// CHECK:        call @use(%[[X]])
