// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots of barriers in loops are made once a block, outside of the loops.
// RUN: %unwarp_opt --lower-barriers %s | FileCheck %s
func.func @kernel(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  scf.forall (%block) in (%n) {
    scf.forall (%z, %y, %x) in (%c1, %n, %n) {
      scf.for %j = %c0 to %n step %c1 {
        scf.for %k = %c0 to %j step %c1 {
          %v = func.call @get(%x, %y) : (index, index) -> f32
          "unwarp.barrier"() {level = "block"} : () -> ()
          func.call @put(%v, %k) : (f32, index) -> ()
        }
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func private @get(index, index) -> f32
func.func private @put(f32, index)

// CHECK:      scf.forall
// CHECK:        %[[SLOT:.*]] = "unwarp.slot"
// CHECK:        scf.for %{{.*}} to %{{.*}} step
// CHECK-NEXT:     scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT:       scf.forall
// CHECK:              %[[V:.*]] = func.call @get
// CHECK:              llvm.store %[[V]]
// CHECK:            {mapping = [#gpu.thread<
// CHECK-NEXT:       scf.forall
// CHECK:              llvm.load
// CHECK:              func.call @put(%{{.*}}, %[[K]])
// CHECK-NOT:  unwarp.barrier
