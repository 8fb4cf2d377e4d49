// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locations that stay in memory.
// RUN: %unwarp_opt --scalar-replace %s | FileCheck %s

// Through an index in memory the other access may go anywhere; through the same pointer it does not lie apart; a barrier
// in the loop lets others see the location; threads under a condition may have nothing to load.
// CHECK-LABEL: @others(
// CHECK-NOT:   scf.if
// CHECK-NOT:   iter_args
// CHECK:       scf.if %{{.*}} {
// CHECK-NEXT:    llvm.load
// CHECK-NOT:   iter_args
// CHECK:       return
func.func @others(%n: index, %in: !llvm.ptr, %out: !llvm.ptr, %which: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%block) in (%c64) {
    scf.forall (%t) in (%c64) {
      %own = arith.index_castui %t : index to i64
      %p = llvm.getelementptr %out[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      scf.for %k = %c0 to %n step %c1 {
        %k64 = arith.index_castui %k : index to i64
        %w = llvm.getelementptr %which[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, i64
        %at = llvm.load %w : !llvm.ptr -> i64
        %q = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %x = llvm.load %p : !llvm.ptr -> f32
        %y = llvm.load %q : !llvm.ptr -> f32
        %sum = arith.addf %x, %y : f32
        llvm.store %sum, %p : f32, !llvm.ptr
      }
      scf.for %k = %c0 to %n step %c1 {
        %k64 = arith.index_castui %k : index to i64
        %q = llvm.getelementptr %out[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %x = llvm.load %p : !llvm.ptr -> f32
        %y = llvm.load %q : !llvm.ptr -> f32
        %sum = arith.addf %x, %y : f32
        llvm.store %sum, %p : f32, !llvm.ptr
      }
      scf.for %k = %c0 to %n step %c1 {
        %x = llvm.load %p : !llvm.ptr -> f32
        %sum = arith.addf %x, %x : f32
        llvm.store %sum, %p : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
      }
      scf.for %k = %c0 to %n step %c1 {
        %k64 = arith.index_castui %k : index to i64
        %q = llvm.getelementptr %in[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %y = llvm.load %q : !llvm.ptr -> f32
        %positive = arith.cmpf ogt, %y, %zero : f32
        scf.if %positive {
          %x = llvm.load %p : !llvm.ptr -> f32
          %sum = arith.addf %x, %y : f32
          llvm.store %sum, %p : f32, !llvm.ptr
        }
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
