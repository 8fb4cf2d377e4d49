// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a while around a barrier carries, and what its condition's region hands on: an element for each thread where threads differ, one where
// they do not, and one slot where what comes in is handed on as it is.
// RUN: %unwarp_opt --interchange %s | FileCheck %s

func.func private @use(f32)

// CHECK-LABEL: func.func @carries_own
// CHECK:         %[[BYTES:.*]] = arith.muli {{.*}} : i64
// CHECK:         "unwarp.slot"(%[[BYTES]])
// CHECK-NOT:     "unwarp.slot"
// CHECK:         return
func.func @carries_own(%n: index, %threads: index, %in: !llvm.ptr, %word: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %t64 = arith.index_cast %t : index to i64
    %at = llvm.getelementptr %in[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %first = llvm.load %at : !llvm.ptr -> f32
    %r:2 = scf.while (%x = %first, %k = %c0) : (f32, index) -> (f32, index) {
      %more = arith.cmpi ult, %k, %n : index
      scf.condition(%more) %x, %k : f32, index
    } do {
    ^bb0(%x: f32, %k: index):
      func.call @use(%x) : (f32) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
      %y = llvm.load %at : !llvm.ptr -> f32
      %next = arith.addf %x, %y : f32
      %more = arith.addi %k, %c1 : index
      scf.yield %next, %more : f32, index
    }
    func.call @use(%r#0) : (f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @carries_same
// CHECK-NOT:     muli {{.*}} : i64
// CHECK:         %[[FOUR:.*]] = arith.constant 4 : i64
// CHECK:         "unwarp.slot"(%[[FOUR]])
// CHECK-NOT:     "unwarp.slot"
// CHECK:         return
func.func @carries_same(%n: index, %threads: index, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %first = llvm.load %in invariant : !llvm.ptr -> f32
    %r:2 = scf.while (%x = %first, %k = %c0) : (f32, index) -> (f32, index) {
      %more = arith.cmpi ult, %k, %n : index
      scf.condition(%more) %x, %k : f32, index
    } do {
    ^bb0(%x: f32, %k: index):
      func.call @use(%x) : (f32) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
      %y = llvm.load %in invariant : !llvm.ptr -> f32
      %next = arith.addf %x, %y : f32
      %more = arith.addi %k, %c1 : index
      scf.yield %next, %more : f32, index
    }
    func.call @use(%r#0) : (f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @hands_on_own
// CHECK:         %[[BYTES:.*]] = arith.muli {{.*}} : i64
// CHECK:         "unwarp.slot"(%[[BYTES]])
// CHECK-NOT:     "unwarp.slot"
// CHECK:         return
func.func @hands_on_own(%n: index, %threads: index, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %t64 = arith.index_cast %t : index to i64
    %at = llvm.getelementptr %in[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %r:2 = scf.while (%k = %c0) : (index) -> (f32, index) {
      %more = arith.cmpi ult, %k, %n : index
      %x = llvm.load %at : !llvm.ptr -> f32
      scf.condition(%more) %x, %k : f32, index
    } do {
    ^bb0(%x: f32, %k: index):
      "unwarp.barrier"() {level = "block"} : () -> ()
      func.call @use(%x) : (f32) -> ()
      %more = arith.addi %k, %c1 : index
      scf.yield %more : index
    }
    func.call @use(%r#0) : (f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @hands_on_same
// CHECK-NOT:     muli {{.*}} : i64
// CHECK:         %[[FOUR:.*]] = arith.constant 4 : i64
// CHECK:         "unwarp.slot"(%[[FOUR]])
// CHECK-NOT:     "unwarp.slot"
// CHECK:         return
func.func @hands_on_same(%n: index, %threads: index, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %r:2 = scf.while (%k = %c0) : (index) -> (f32, index) {
      %more = arith.cmpi ult, %k, %n : index
      %k64 = arith.index_cast %k : index to i64
      %at = llvm.getelementptr %in[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %at invariant : !llvm.ptr -> f32
      scf.condition(%more) %x, %k : f32, index
    } do {
    ^bb0(%x: f32, %k: index):
      "unwarp.barrier"() {level = "block"} : () -> ()
      func.call @use(%x) : (f32) -> ()
      %more = arith.addi %k, %c1 : index
      scf.yield %more : index
    }
    func.call @use(%r#0) : (f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
