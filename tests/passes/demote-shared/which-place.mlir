// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile stays where it is not known that a thread of the block stored in the element that is read, and which one.
// RUN: %unwarp_opt --demote-shared %s | FileCheck %s

// Which row of the tile is written depends on the number.
// CHECK-LABEL: @row_by_number(
// CHECK:       unwarp.shared
func.func @row_by_number(%g: !llvm.ptr, %out: !llvm.ptr, %number: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %row = llvm.getelementptr %own[%number] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<32 x f32>
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %row : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %own : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// How far apart the threads store depends on the number.
// CHECK-LABEL: @wide_step(
// CHECK:       unwarp.shared
func.func @wide_step(%g: !llvm.ptr, %out: !llvm.ptr, %number: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %product = arith.muli %t, %number : index
    %pi = arith.index_cast %product : index to i64
    %mine = llvm.getelementptr %s[%pi] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %mine : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %own : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The store's address is not understood: an element of a vector.
// CHECK-LABEL: @unknown_store(
// CHECK:       unwarp.shared
func.func @unknown_store(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %is = arith.cmpi eq, %t, %c0 : index
    %at = llvm.getelementptr %s[0, 1] : (!llvm.ptr) -> !llvm.ptr, vector<4xf32>
    scf.if %is {
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %at : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %s : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The load's address is not understood: an element of a vector.
// CHECK-LABEL: @unknown_load(
// CHECK:       unwarp.shared
func.func @unknown_load(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %at = llvm.getelementptr %s[0, 1] : (!llvm.ptr) -> !llvm.ptr, vector<4xf32>
    %y = llvm.load %at : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The load's address lies in front of what was copied.
// CHECK-LABEL: @in_front(
// CHECK:       unwarp.shared
func.func @in_front(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %is = arith.cmpi eq, %t, %c0 : index
    %second = llvm.getelementptr %s[1] : (!llvm.ptr) -> !llvm.ptr, f32
    scf.if %is {
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %second : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %s : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The load takes two copies together, which come from the original the other way round.
// CHECK-LABEL: @both_halves(
// CHECK:       unwarp.shared
func.func @both_halves(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %pair = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x f32>
    %second = llvm.getelementptr %pair[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %low = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x f32>
    %high = llvm.getelementptr %low[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %x = llvm.load %low {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    %z = llvm.load %high {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %z, %pair : f32, !llvm.ptr
    llvm.store %x, %second : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %pair : !llvm.ptr -> i64
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : i64, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The load's addresses are halves of elements: no step of the index leads from one to the next.
// CHECK-LABEL: @halves(
// CHECK:       unwarp.shared
func.func @halves(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %at = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i16
    %y = llvm.load %at : !llvm.ptr -> i16
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i16
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : i16, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// It is not known how far the loop runs.
// CHECK-LABEL: @unknown_end(
// CHECK:       unwarp.shared
func.func @unknown_end(%g: !llvm.ptr, %out: !llvm.ptr, %number: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    scf.for %k = %c0 to %number step %c1 {
      %ki = arith.index_cast %k : index to i64
      %at = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %at : !llvm.ptr -> f32
      llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// It is not known where the loop starts: it may be in the row before.
// CHECK-LABEL: @unknown_start(
// CHECK:       unwarp.shared
func.func @unknown_start(%g: !llvm.ptr, %out: !llvm.ptr, %number: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(512 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%y, %t) in (%c4, %c32) {
    %ti = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %yi = arith.index_cast %y : index to i64
    %row = llvm.getelementptr %s[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<32 x f32>
    %mine = llvm.getelementptr %row[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %mine : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    scf.for %k = %number to %c32 step %c1 {
      %ki = arith.index_cast %k : index to i64
      %at = llvm.getelementptr %row[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %at : !llvm.ptr -> f32
      llvm.store %v, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// The load's address is carried through the loop, in steps of its own.
// CHECK-LABEL: @carried(
// CHECK:       unwarp.shared
func.func @carried(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %last = scf.for %k = %c0 to %c32 step %c1 iter_args(%place = %c0) -> (index) {
      %pi = arith.index_cast %place : index to i64
      %at = llvm.getelementptr %s[%pi] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %at : !llvm.ptr -> f32
      llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
      %next = arith.addi %place, %c2 : index
      scf.yield %next : index
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// The load's address is carried through a loop without a counter.
// CHECK-LABEL: @while_loop(
// CHECK:       unwarp.shared
func.func @while_loop(%g: !llvm.ptr, %out: !llvm.ptr, %number: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %three:3 = scf.while (%k = %c0, %end = %c32, %step = %c1) : (index, index, index) -> (index, index, index) {
      %ki = arith.index_cast %k : index to i64
      %at = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %at : !llvm.ptr -> f32
      llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
      %more = arith.cmpi ult, %k, %number : index
      scf.condition(%more) %k, %end, %step : index, index, index
    } do {
    ^bb0(%k: index, %end: index, %step: index):
      %next = arith.addi %k, %step : index
      scf.yield %next, %end, %step : index, index, index
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// How many threads the block has is not known, so it is not known whether there is a next one.
// CHECK-LABEL: @unknown_extent_next(
// CHECK:       unwarp.shared
func.func @unknown_extent_next(%g: !llvm.ptr, %out: !llvm.ptr, %threads: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = llvm.mlir.constant(4096 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %at = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %y = llvm.load %at : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The same, with twice the index.
// CHECK-LABEL: @unknown_extent_twice(
// CHECK:       unwarp.shared
func.func @unknown_extent_twice(%g: !llvm.ptr, %out: !llvm.ptr, %rows: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %bytes = llvm.mlir.constant(4096 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%y, %t) in (%rows, %c2) {
    %ti = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %first = arith.cmpi eq, %t, %c0 : index
    %yi = arith.index_cast %y : index to i64
    %row = llvm.getelementptr %s[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    scf.if %first {
      %from = llvm.getelementptr %g[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %row : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %at = llvm.getelementptr %s[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x f32>
    %v = llvm.load %at : !llvm.ptr -> f32
    llvm.store %v, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// The same, with a sum of indices.
// CHECK-LABEL: @unknown_extent_sum(
// CHECK:       unwarp.shared
func.func @unknown_extent_sum(%g: !llvm.ptr, %out: !llvm.ptr, %threads: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %bytes = llvm.mlir.constant(4096 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%y, %t) in (%c2, %threads) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %first = arith.cmpi eq, %y, %c0 : index
    %yi = arith.index_cast %y : index to i64
    scf.if %first {
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %own : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %low = llvm.getelementptr %s[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %at = llvm.getelementptr %low[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %at : !llvm.ptr -> f32
    llvm.store %v, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// Without the counter, the address would be that of a thread -1, of which no address in the original can be computed.
// CHECK-LABEL: @minus_one_and_counter(
// CHECK:       unwarp.shared
func.func @minus_one_and_counter(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c33 = arith.constant 33 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    scf.for %k = %c1 to %c33 step %c1 {
      %index = arith.subi %k, %c1 : index
      %ki = arith.index_cast %index : index to i64
      %at = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %at : !llvm.ptr -> f32
      llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// The load's address is that of the thread before, which the first thread has none.
// CHECK-LABEL: @one_before(
// CHECK:       unwarp.shared
func.func @one_before(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %at = llvm.getelementptr %own[-1] : (!llvm.ptr) -> !llvm.ptr, f32
    %y = llvm.load %at : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// A step of the loop's counter is not a constant number of bytes of the original.
// CHECK-LABEL: @column_by_number(
// CHECK:       unwarp.shared
func.func @column_by_number(%g: !llvm.ptr, %out: !llvm.ptr, %number: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %product = arith.muli %number, %ti : i64
    %from = llvm.getelementptr %g[%product] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    scf.for %k = %c0 to %c32 step %c1 {
      %ki = arith.index_cast %k : index to i64
      %at = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %at : !llvm.ptr -> f32
      llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
