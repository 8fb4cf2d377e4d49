// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private memory that lives across a barrier moves to a slot; memory of one phase stays. A barrier with nothing
// before it splits nothing.
// RUN: %unwarp_opt --split %s | FileCheck %s
func.func @kernel(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  %size = arith.constant 16 : i32
  scf.forall (%i) in (%n) {
    %lives = llvm.alloca %size x f32 : (i32) -> !llvm.ptr
    %local = llvm.alloca %size x f64 : (i32) -> !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    func.call @fill(%lives) : (!llvm.ptr) -> ()
    %v = llvm.load %local : !llvm.ptr -> f64
    llvm.store %v, %local : f64, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    func.call @fill(%lives) : (!llvm.ptr) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @fill(!llvm.ptr)

// The second alloca stands before the first barrier and is used after it.
// CHECK-COUNT-2: unwarp.slot
// CHECK-NOT:     llvm.alloca
// CHECK:         scf.forall
// CHECK:           %[[HERE:.*]] = llvm.getelementptr %{{.*}} !llvm.array<64 x i8>
// CHECK:           call @fill(%[[HERE]])
// CHECK:         scf.forall
// CHECK:           %[[THERE:.*]] = llvm.getelementptr %{{.*}} !llvm.array<64 x i8>
// CHECK:           call @fill(%[[THERE]])
// CHECK-NOT:     scf.forall
