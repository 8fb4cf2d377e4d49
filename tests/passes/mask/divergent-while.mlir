// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that threads leave at different times runs while one is active; a counter that all step alike stays uniform.
// RUN: %unwarp_opt --mask %s | FileCheck %s
func.func @kernel(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    %count = scf.while (%k = %c0) : (index) -> index {
      %more = func.call @more(%k) : (index) -> i1
      scf.condition(%more) %k : index
    } do {
    ^bb0(%k: index):
      "unwarp.barrier"() {level = "block"} : () -> ()
      %next = arith.addi %k, %c1 : index
      scf.yield %next : index
    }
    func.call @use(%count) : (index) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @more(index) -> i1
func.func private @use(index)

// CHECK:      scf.while (%[[ACTIVE:.*]] = %true{{.*}}, %[[K:.*]] = %c0, %[[EXIT:.*]] = %{{.*}})
// CHECK:        %[[MORE:.*]] = scf.if %[[ACTIVE]] -> (i1)
// CHECK-NEXT:     func.call @more(%[[K]])
// CHECK:        %[[ON:.*]] = arith.select %[[ACTIVE]], %[[MORE]], %false
// CHECK:        %[[ANY:.*]] = "unwarp.reduce"
// CHECK-SAME:     kind = "or", level = "block"
// CHECK:        %[[SOME:.*]] = arith.cmpi ne, %[[ANY]]
// CHECK:        %[[LEFT:.*]] = arith.select %[[ACTIVE]], %[[K]], %[[EXIT]]
// CHECK:        scf.condition(%[[SOME]]) %[[ON]], %[[K]], %[[LEFT]]
// CHECK:      do
// CHECK:        unwarp.barrier
// CHECK-NEXT:   arith.addi
// CHECK-NOT:    scf.if
// CHECK:        scf.yield
// CHECK:      call @use(%{{.*}}#2)
