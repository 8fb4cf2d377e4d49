// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --no-wrap-versions %s | FileCheck %s

// Nothing is asked about what mixes bits, what the launch does not know, and what nobody uses as an integer.
// CHECK-NOT: overflow
// CHECK-NOT: uwrt_launch_plain
func.func @mixes(%threads: index, %n: i32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %odd = arith.constant 1664525 : i32
  %more = arith.constant 1013904223 : i32
  %bits = arith.constant 255 : i32
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %mixed = arith.muli %ti, %odd : i32
    %next = arith.addi %ti, %more : i32
    %loaded = llvm.load %q : !llvm.ptr -> i32
    %from = arith.addi %ti, %loaded : i32
    %sum = arith.addi %ti, %n : i32
    %byte = arith.andi %sum, %bits : i32
    %a = arith.cmpi slt, %mixed, %n : i32
    %b = arith.cmpi slt, %next, %n : i32
    %c = arith.cmpi slt, %from, %n : i32
    %ab = arith.andi %a, %b : i1
    %all = arith.andi %ab, %c : i1
    scf.if %all {
      llvm.store %byte, %p : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
