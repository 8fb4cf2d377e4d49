// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A while whose condition no operation gives, but the function's caller, is none of lanes that are live: it stays.
// RUN: %unwarp_opt --vectorize-interleaved %s | FileCheck %s
// CHECK: scf.condition(%arg1)
func.func @kernel(%data: !llvm.ptr, %more: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.forall (%i) in (%c64) {
    %j = scf.while (%a = %c0) : (index) -> index {
      scf.condition(%more) %a : index
    } do {
    ^bb0(%a: index):
      %b = arith.addi %a, %c1 : index
      scf.yield %b : index
    }
    %k = arith.index_cast %j : index to i64
    llvm.store %k, %data : i64, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
