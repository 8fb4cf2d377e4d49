// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What crosses a barrier in at most 16 threads has 16 places, whatever the number is: 64 bytes. Of up to 8192 threads
// there are as many as threads.
// RUN: %unwarp_opt --split %s | FileCheck %s

// CHECK-LABEL: func.func @signed
// CHECK: %[[BYTES:.*]] = arith.constant 64 : i64
// CHECK: "unwarp.slot"(%[[BYTES]])
// CHECK-LABEL: func.func @unsigned
// CHECK: %[[BYTES:.*]] = arith.constant 64 : i64
// CHECK: "unwarp.slot"(%[[BYTES]])
// CHECK-LABEL: func.func @many
// CHECK: %[[BYTES:.*]] = arith.muli {{.*}} : i64
// CHECK: "unwarp.slot"(%[[BYTES]])
func.func @signed(%data: !llvm.ptr, %threads: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c8192 = arith.constant 8192 : index
  %some = arith.minsi %threads, %c16 : index
  scf.forall (%i) in (%some) {
    %j = arith.index_cast %i : index to i64
    %at = llvm.getelementptr %data[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %at : !llvm.ptr -> f32
    func.call @first() : () -> ()
    "unwarp.barrier"() {level = "block"} : () -> ()
    func.call @use(%x) : (f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @unsigned(%data: !llvm.ptr, %threads: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c8192 = arith.constant 8192 : index
  %some = arith.minui %threads, %c16 : index
  scf.forall (%i) in (%some) {
    %j = arith.index_cast %i : index to i64
    %at = llvm.getelementptr %data[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %at : !llvm.ptr -> f32
    func.call @first() : () -> ()
    "unwarp.barrier"() {level = "block"} : () -> ()
    func.call @use(%x) : (f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @many(%data: !llvm.ptr, %threads: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c8192 = arith.constant 8192 : index
  %some = arith.minui %threads, %c8192 : index
  scf.forall (%i) in (%some) {
    %j = arith.index_cast %i : index to i64
    %at = llvm.getelementptr %data[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %at : !llvm.ptr -> f32
    func.call @first() : () -> ()
    "unwarp.barrier"() {level = "block"} : () -> ()
    func.call @use(%x) : (f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @first()
func.func private @use(f32)
