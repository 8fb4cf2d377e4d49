// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Figure 7 of the paper. What a thread carries through the loop is in its slot, written where it is
// computed; the counter stays a value.
// RUN: %unwarp_opt --interchange %s | FileCheck %s
func.func @kernel(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (%n) {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%x = %zero) -> (f32) {
      %y = func.call @step(%x, %j) : (f32, index) -> f32
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %y : f32
    }
    func.call @use(%sum) : (f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @step(f32, index) -> f32
func.func private @use(f32)

// CHECK:      %[[SLOT:.*]] = "unwarp.slot"
// CHECK:      scf.forall
// CHECK:        llvm.store %{{.*}} : f32
// CHECK:      scf.for %[[J:.*]] =
// CHECK-NEXT:   scf.forall
// CHECK:          %[[X:.*]] = llvm.load
// CHECK:          %[[Y:.*]] = func.call @step(%[[X]], %[[J]])
// CHECK:          llvm.store %[[Y]]
// CHECK:          "unwarp.barrier"
// CHECK:      scf.forall
// CHECK:        %[[SUM:.*]] = llvm.load
// CHECK:        call @use(%[[SUM]])
