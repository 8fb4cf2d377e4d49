// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value that is the same for all threads has one element, read between the loops.
// RUN: %unwarp_opt --split %s | FileCheck %s
func.func @kernel(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  scf.forall (%i) in (%n) {
    %x = llvm.load %data invariant : !llvm.ptr -> f32
    func.call @first() : () -> ()
    "unwarp.barrier"() {level = "block"} : () -> ()
    func.call @use(%x, %i) : (f32, index) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @first()
func.func private @use(f32, index)

// CHECK:       %[[BYTES:.*]] = arith.constant 4 : i64
// CHECK:       %[[SLOT:.*]] = "unwarp.slot"(%[[BYTES]])
// CHECK:       scf.forall
// CHECK:         call @first
// CHECK:         llvm.store %{{.*}}, %[[SLOT]]
// CHECK:       }
// CHECK:       %[[X:.*]] = llvm.load %[[SLOT]]
// CHECK-NEXT:  scf.forall (%[[I:.*]]) {{=|in}}
// CHECK-NEXT:    call @use(%[[X]], %[[I]])
