// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lies apart in one iteration's call need not in another's: the copies do not say so any more.
// RUN: %unwarp_opt --full-unroll %s | FileCheck %s

// CHECK-LABEL: func.func @iterations
// CHECK-NOT: alias_scopes
// CHECK-NOT: scf.for %
#domain = #llvm.alias_scope_domain<id = distinct[0]<>>
#scope = #llvm.alias_scope<id = distinct[1]<>, domain = #domain>
func.func @iterations(%n: index, %x: f32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.forall (%t) in (%n) {
    scf.for %i = %c0 to %c3 step %c1 {
      %own = arith.addi %t, %i : index
      %k = arith.index_cast %own : index to i64
      %to = llvm.getelementptr %p[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %x, %to {alias_scopes = [#scope]} : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
