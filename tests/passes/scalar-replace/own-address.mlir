// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop only reads at an address of its own, computed in it, is loaded before it, after the address.
// RUN: %unwarp_opt --scalar-replace %s | FileCheck %s
// RUN: %unwarp_opt --scalar-replace --scalar-replace %s | FileCheck %s

// CHECK-LABEL: @scaled(
// CHECK:       %[[AT:.*]] = llvm.getelementptr %arg1
// CHECK:       llvm.load %[[AT]]
// CHECK:       scf.for {{.*}} iter_args
// CHECK-NOT:     llvm.load
// CHECK:       }
func.func @scaled(%n: i32, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.forall (%block) in (%c64) {
    scf.forall (%t) in (%c64) {
      %own = arith.index_cast %t : index to i64
      scf.for %k = %zero to %n step %one : i32 {
        %q = llvm.getelementptr %in[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %y = llvm.load %q {unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        %p = llvm.getelementptr %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %x = llvm.load %p {unwarp.restrict = 2 : i32} : !llvm.ptr -> f32
        %sum = arith.addf %x, %y : f32
        llvm.store %sum, %p {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
