// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Figure 8 of the paper: every thread evaluates the condition, one element keeps it.
// RUN: %unwarp_opt --interchange %s | FileCheck %s
func.func @kernel(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  scf.forall (%i) in (%n) {
    scf.while : () -> () {
      func.call @run(%i) : (index) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
      %word = llvm.load %data invariant : !llvm.ptr -> i32
      %more = arith.trunci %word : i32 to i1
      scf.condition(%more)
    } do {
      scf.yield
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @run(index)

// CHECK:      %[[SLOT:.*]] = "unwarp.slot"
// CHECK:      scf.while
// CHECK-NEXT:   scf.forall
// CHECK-NEXT:     func.call @run
// CHECK-NEXT:     "unwarp.barrier"
// CHECK:          llvm.store %{{.*}}, %[[SLOT]] : i8
// CHECK:        %[[BYTE:.*]] = llvm.load %[[SLOT]]
// CHECK-NEXT:   %[[MORE:.*]] = arith.trunci %[[BYTE]]
// CHECK-NEXT:   scf.condition(%[[MORE]])
