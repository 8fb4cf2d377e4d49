// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With scope=block only what waits for the whole block is taken apart, so that warps sees phases; warps are left for later.
// RUN: %unwarp_opt --lower-barriers{scope=block} %s | FileCheck %s
// RUN: %unwarp_opt --lower-barriers %s | FileCheck %s --check-prefix=ALL

// CHECK-LABEL: func.func @kernel
// CHECK: scf.forall
// CHECK: unwarp.shuffle
// CHECK-NOT: unwarp.barrier
// CHECK: scf.forall
// CHECK: call @put

// ALL-LABEL: func.func @kernel
// ALL-NOT: unwarp.shuffle
// ALL: return
func.func @kernel(%n: index) {
  %one = arith.constant 1 : i32
  %true = arith.constant true
  scf.forall (%x) in (%n) {
    %v = func.call @get(%x) : (index) -> f32
    %w = "unwarp.shuffle"(%v, %one, %true) : (f32, i32, i1) -> f32
    func.call @put(%v, %w) : (f32, f32) -> ()
    "unwarp.barrier"() {level = "block"} : () -> ()
    func.call @put(%w, %w) : (f32, f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @get(index) -> f32
func.func private @put(f32, f32)
