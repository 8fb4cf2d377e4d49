// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp operation: threads become warps of lanes, the value goes through a slot of 32 elements.
// RUN: %unwarp_opt --lower-barriers --simplify %s | FileCheck %s
func.func @kernel(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  %one = arith.constant 1 : i32
  %true = arith.constant true
  scf.forall (%z, %y, %x) in (%c1, %c1, %n) {
    %v = func.call @get(%x) : (index) -> f32
    %w = "unwarp.shuffle"(%v, %one, %true) : (f32, i32, i1) -> f32
    func.call @put(%v, %w) : (f32, f32) -> ()
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
func.func private @get(index) -> f32
func.func private @put(f32, f32)

// CHECK:      %[[SIZE:.*]] = arith.constant 128 : i64
// CHECK:      scf.forall (%[[WARP:.*]]) {{=|in}}
// CHECK:        %[[LANES:.*]] = arith.minui
// CHECK:        %[[SLOT:.*]] = "unwarp.slot"(%[[SIZE]])
// CHECK:        scf.forall (%[[L:.*]]) {{(= .* to|in)}} (%[[LANES]])
// CHECK:          %[[V:.*]] = func.call @get
// CHECK:          llvm.store %[[V]]
// CHECK:        } {mapping = [#gpu.lane<x>]}
// CHECK:        scf.forall
// CHECK:          arith.select
// CHECK:          %[[W:.*]] = llvm.load
// CHECK:          call @put(%{{.*}}, %[[W]])
// CHECK:        } {mapping = [#gpu.lane<x>]}
// CHECK:      } {mapping = [#gpu.warp<x>]}
// CHECK-NOT:  unwarp.shuffle
