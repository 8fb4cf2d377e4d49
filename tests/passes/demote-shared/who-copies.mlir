// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile stays where it is not known from an element alone which thread stored there, or that it surely did.
// RUN: %unwarp_opt --demote-shared %s | FileCheck %s

// Thread 1 copies, the only one of the two that is not thread 0.
// CHECK-LABEL: @others(
// CHECK:       unwarp.shared
func.func @others(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c2) {
    %ti = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %is = arith.cmpi ne, %t, %c0 : index
    scf.if %is {
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %s : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %s : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The thread that copies is known only when the kernel runs, and may not be there.
// CHECK-LABEL: @any_one(
// CHECK:       unwarp.shared
func.func @any_one(%g: !llvm.ptr, %out: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %is = arith.cmpi eq, %t, %n : index
    scf.if %is {
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %s : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %s : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// No thread has that index, so that what stands there is not from the original.
// CHECK-LABEL: @minus_one(
// CHECK:       unwarp.shared
func.func @minus_one(%g: !llvm.ptr, %out: !llvm.ptr) {
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
    %minus = arith.constant -1 : index
    %is = arith.cmpi eq, %t, %minus : index
    scf.if %is {
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %own : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %own : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// No thread has both indices.
// CHECK-LABEL: @never(
// CHECK:       unwarp.shared
func.func @never(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %first = arith.cmpi eq, %t, %c0 : index
    %second = arith.cmpi eq, %t, %c1 : index
    %is = arith.andi %first, %second : i1
    scf.if %is {
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %s : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %s : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Thread 0 copies only if the number is 0 too.
// CHECK-LABEL: @number_or_index(
// CHECK:       unwarp.shared
func.func @number_or_index(%g: !llvm.ptr, %out: !llvm.ptr, %number: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %both = arith.ori %number, %ti : i64
    %zero = arith.constant 0 : i64
    %is = arith.cmpi eq, %both, %zero : i64
    scf.if %is {
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %s : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %s : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Thread 0 copies only if the number is 0 too.
// CHECK-LABEL: @index_or_number(
// CHECK:       unwarp.shared
func.func @index_or_number(%g: !llvm.ptr, %out: !llvm.ptr, %number: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %both = arith.ori %ti, %number : i64
    %zero = arith.constant 0 : i64
    %is = arith.cmpi eq, %both, %zero : i64
    scf.if %is {
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %s : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %s : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Thread 0 copies only if the caller wants it.
// CHECK-LABEL: @wanted_and_first(
// CHECK:       unwarp.shared
func.func @wanted_and_first(%g: !llvm.ptr, %out: !llvm.ptr, %wanted: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %first = arith.cmpi eq, %t, %c0 : index
    %is = arith.andi %wanted, %first : i1
    scf.if %is {
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %s : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %s : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Thread 0 copies only if the caller wants it.
// CHECK-LABEL: @first_and_wanted(
// CHECK:       unwarp.shared
func.func @first_and_wanted(%g: !llvm.ptr, %out: !llvm.ptr, %wanted: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %first = arith.cmpi eq, %t, %c0 : index
    %is = arith.andi %first, %wanted : i1
    scf.if %is {
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %s : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %s : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Thread 1 copies: an index or the other is 1.
// CHECK-LABEL: @or_is_one(
// CHECK:       unwarp.shared
func.func @or_is_one(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%y, %t) in (%c1, %c2) {
    %ti = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %both = arith.ori %y, %t : index
    %is = arith.cmpi eq, %both, %c1 : index
    scf.if %is {
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %s : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %v = llvm.load %s : !llvm.ptr -> f32
    llvm.store %v, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// The store stands in the other branch of the condition.
// CHECK-LABEL: @all_but_one(
// CHECK:       unwarp.shared
func.func @all_but_one(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c2) {
    %ti = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %is = arith.cmpi eq, %t, %c0 : index
    scf.if %is {
    } else {
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %s : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %s : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Some threads leave the loop sooner; what they stored in an earlier iteration stays in their elements.
// CHECK-LABEL: @some_go_on(
// CHECK:       unwarp.shared
func.func @some_go_on(%g: !llvm.ptr, %out: !llvm.ptr) {
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
    %iterations = arith.addi %t, %c1 : index
    scf.for %i = %c0 to %iterations step %c1 {
      %ii = arith.index_cast %i : index to i64
      %at = llvm.getelementptr %from[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %at {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "warp"} : () -> ()
      %y = llvm.load %s : !llvm.ptr -> f32
      llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// All threads store in one element, and one value of all stays.
// CHECK-LABEL: @election(
// CHECK:       unwarp.shared
func.func @election(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    llvm.store %x, %s : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %s : !llvm.ptr -> f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
