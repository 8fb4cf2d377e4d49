// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two values that change places in each iteration: both are read before either is written.
// RUN: %unwarp_opt --lower-barriers %s | FileCheck %s
func.func @kernel(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  scf.forall (%i) in (%n) {
    %u = func.call @get() : () -> f32
    %v = func.call @get() : () -> f32
    %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%a = %u, %b = %v) -> (f32, f32) {
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %b, %a : f32, f32
    }
    func.call @use(%r#0, %r#1) : (f32, f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @get() -> f32
func.func private @use(f32, f32)

// CHECK:      scf.for %
// CHECK:        scf.forall
// CHECK:          %[[A:.*]] = llvm.load
// CHECK:          %[[B:.*]] = llvm.load
// CHECK:          llvm.store
// CHECK:          llvm.store
// CHECK-NOT:      llvm.load
// CHECK:        {mapping
// CHECK:      call @use
