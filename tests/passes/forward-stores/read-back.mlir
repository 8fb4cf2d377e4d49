// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that a thread gets back without a load.
// RUN: %unwarp_opt --forward-stores %s | FileCheck %s

// A load in between does not matter.
// CHECK-LABEL: @two_loads(
// CHECK-NOT:   llvm.load
// CHECK:       arith.addf %arg0, %arg0
func.func @two_loads(%x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    %y = llvm.load %own : !llvm.ptr -> f32
    "unwarp.barrier"() {level = "block"} : () -> ()
    %z = llvm.load %own : !llvm.ptr -> f32
    %sum = arith.addf %y, %z : f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Loads in branches after the store.
// CHECK-LABEL: @in_branches(
// CHECK-NOT:   llvm.load
// CHECK:       return
func.func @in_branches(%x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    %low = arith.cmpi ult, %t, %c8 : index
    scf.if %low {
      %y = llvm.load %own : !llvm.ptr -> f32
      llvm.store %y, %to : f32, !llvm.ptr
    }
    scf.index_switch %t
    case 9 {
      %z = llvm.load %own : !llvm.ptr -> f32
      llvm.store %z, %to : f32, !llvm.ptr
      scf.yield
    }
    default {
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// A constant costs nothing to keep across a barrier, so it comes back though its store stays.
// CHECK-LABEL: @constant(
// CHECK:       llvm.store
// CHECK:       unwarp.barrier
// CHECK-NEXT:  [[Z:%[0-9a-z]+]] = llvm.load
// CHECK-NEXT:  arith.addf %{{.*}}, [[Z]]
func.func @constant(%out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %one = arith.constant 1.0 : f32
    llvm.store %one, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %own : !llvm.ptr -> f32
    %z = llvm.load %next : !llvm.ptr -> f32
    %sum = arith.addf %y, %z : f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The same, with a constant of the other kind.
// CHECK-LABEL: @llvm_constant(
// CHECK:       llvm.store
// CHECK:       unwarp.barrier
// CHECK-NEXT:  [[Z:%[0-9a-z]+]] = llvm.load
// CHECK-NEXT:  arith.addf %{{.*}}, [[Z]]
func.func @llvm_constant(%out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %one = llvm.mlir.constant(1.0 : f32) : f32
    llvm.store %one, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %own : !llvm.ptr -> f32
    %z = llvm.load %next : !llvm.ptr -> f32
    %sum = arith.addf %y, %z : f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
