// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier of the grid splits the thread loop; the block then waits once for all its threads, if any of them came by.
// RUN: %unwarp_opt --lower-barriers %s | FileCheck %s
func.func @kernel(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %true = arith.constant true
  scf.forall (%z, %y, %x) in (%c1, %c1, %n) {
    func.call @before(%x) : (index) -> ()
    %in_divergent = func.call @condition(%x) : (index) -> i1
    scf.if %in_divergent {
      %reached = "unwarp.reduce"(%one, %true) {level = "block", kind = "grid"} : (i32, i1) -> i32
    }
    func.call @after(%x) : (index) -> ()
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
func.func private @before(index)
func.func private @condition(index) -> i1
func.func private @after(index)

// CHECK:      scf.forall
// CHECK:        func.call @before
// CHECK:      %[[REACHED:.*]] = scf.for %
// CHECK:      %[[ANY:.*]] = arith.cmpi ne, %[[REACHED]]
// CHECK-NEXT: scf.if %[[ANY]] {
// CHECK-NEXT:   "unwarp.barrier"() {level = "grid"}
// CHECK:      scf.forall
// CHECK:        func.call @after
// CHECK-NOT:  unwarp.reduce
