// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lanes add one after the other is a tally all the same: nobody asks for the results, and functions of vectors tell no other block.
// RUN: %unwarp_opt --vectorize-threads --privatize-atomics %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {
llvm.func @acosh(f64) -> f64

// CHECK-LABEL: func.func @lanes
// CHECK: %[[OWN:.*]] = "unwarp.tally"(%arg1)
// CHECK: llvm.call @unwarp.vector.16.acosh
// CHECK-COUNT-16: llvm.atomicrmw add %[[OWN]], %{{.*}} monotonic
func.func @lanes(%blocks: index, %a: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c64) {
      %t64 = arith.index_cast %t : index to i64
      %x = arith.sitofp %t64 : i64 to f64
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) {
        %y = llvm.call @acosh(%s) : (f64) -> f64
        %u = math.exp %y : f64
        %v = math.sin %u : f64
        %z = math.cos %v : f64
        %i = arith.fptosi %z : f64 to i64
        %old = llvm.atomicrmw add %a, %i monotonic : !llvm.ptr, i64
        scf.yield %z : f64
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
}
