// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eight bytes that are the same for all threads weigh less than four of each thread: the sum is made again after the
// barrier from the common value. Where that value is each thread's own, the sum is what crosses.
// RUN: %unwarp_opt --split %s | FileCheck %s

// CHECK-LABEL: func.func @common
// CHECK:         %[[SLOT:.*]] = "unwarp.slot"
// CHECK-NOT:     unwarp.slot
// CHECK:         %[[X:.*]] = llvm.load %[[SLOT]] {{.*}}: !llvm.ptr -> f64
// CHECK-NEXT:    scf.forall
// CHECK:           arith.addf %[[X]]
func.func @common(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    %x = llvm.load %data invariant : !llvm.ptr -> f64
    %j = arith.index_cast %i : index to i64
    %t = arith.sitofp %j : i64 to f64
    %sum = arith.addf %x, %t : f64
    %short = arith.truncf %sum : f64 to f32
    func.call @first() : () -> ()
    "unwarp.barrier"() {level = "block"} : () -> ()
    func.call @use(%short) : (f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @own
// CHECK:         "unwarp.slot"
// CHECK-NOT:     unwarp.slot
// CHECK:         arith.truncf
// CHECK:         llvm.store %{{.*}} : f32, !llvm.ptr
// CHECK:         scf.forall
// CHECK:           llvm.load %{{.*}} -> f32
func.func @own(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    %j = arith.index_cast %i : index to i64
    %at = llvm.getelementptr %data[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    %x = llvm.load %at : !llvm.ptr -> f64
    %t = arith.sitofp %j : i64 to f64
    %sum = arith.addf %x, %t : f64
    %short = arith.truncf %sum : f64 to f32
    func.call @first() : () -> ()
    "unwarp.barrier"() {level = "block"} : () -> ()
    func.call @use(%short) : (f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @first()
func.func private @use(f32)
