// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a serial construct around a barrier carries or gives has one element where it is the same for all threads, and one for each thread
// where it is not.
// RUN: %unwarp_opt --interchange %s | FileCheck %s

func.func private @a()
func.func private @use(f32)

// CHECK-LABEL: func.func @loop
// CHECK-DAG:     %[[FOUR:.*]] = arith.constant 4 : i64
// CHECK:         "unwarp.slot"(%[[FOUR]])
// CHECK-NOT:     "unwarp.slot"
// CHECK:         return
func.func @loop(%n: index, %threads: index, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %first = llvm.load %in invariant : !llvm.ptr -> f32
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %first) -> (f32) {
      func.call @use(%x) : (f32) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
      %k64 = arith.index_cast %k : index to i64
      %at = llvm.getelementptr %in[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %next = llvm.load %at invariant : !llvm.ptr -> f32
      scf.yield %next : f32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @own
// CHECK:         %[[BYTES:.*]] = arith.muli {{.*}} : i64
// CHECK:         "unwarp.slot"(%[[BYTES]])
func.func @own(%n: index, %threads: index, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %first = llvm.load %in invariant : !llvm.ptr -> f32
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %first) -> (f32) {
      func.call @use(%x) : (f32) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
      %t64 = arith.index_cast %t : index to i64
      %at = llvm.getelementptr %in[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %next = llvm.load %at invariant : !llvm.ptr -> f32
      scf.yield %next : f32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @branch
// CHECK-DAG:     %[[FOUR:.*]] = arith.constant 4 : i64
// CHECK:         "unwarp.slot"(%[[FOUR]])
// CHECK-NOT:     "unwarp.slot"
// CHECK:         return
func.func @branch(%c: i1, %threads: index, %in: !llvm.ptr, %y: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %r = scf.if %c -> (f32) {
      func.call @a() : () -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
      %x = llvm.load %in invariant : !llvm.ptr -> f32
      scf.yield %x : f32
    } else {
      scf.yield %y : f32
    }
    func.call @use(%r) : (f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @while
// CHECK-NOT:     muli {{.*}} : i64
// CHECK:         %[[FOUR:.*]] = arith.constant 4 : i64
// CHECK:         "unwarp.slot"(%[[FOUR]])
// CHECK-NOT:     muli {{.*}} : i64
// CHECK:         return
func.func @while(%n: f32, %threads: index, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %first = llvm.load %in invariant : !llvm.ptr -> f32
    %r = scf.while (%x = %first) : (f32) -> f32 {
      %more = arith.cmpf olt, %x, %n : f32
      scf.condition(%more) %x : f32
    } do {
    ^bb0(%x: f32):
      func.call @use(%x) : (f32) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
      %y = llvm.load %in invariant : !llvm.ptr -> f32
      %next = arith.addf %x, %y : f32
      scf.yield %next : f32
    }
    func.call @use(%r) : (f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
