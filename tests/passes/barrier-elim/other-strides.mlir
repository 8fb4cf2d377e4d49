// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is written and read at different strides: it may still be that no two threads meet.
// RUN: %unwarp_opt --barrier-elim %s | FileCheck %s

// 64 threads write elements 0 to 63, and read 64, 66, … 190.
// CHECK-LABEL: func.func @past
// CHECK-NOT: unwarp.barrier
// They read 63, 65, …: the first one reads what the last one wrote.
// CHECK-LABEL: func.func @reaches
// CHECK: unwarp.barrier
// Even elements are written, and every fourth one from 1 on is read.
// CHECK-LABEL: func.func @between
// CHECK-NOT: unwarp.barrier
// Every fourth one from 2 on.
// CHECK-LABEL: func.func @among
// CHECK: unwarp.barrier
// So many threads may be there as no one said: it may be 65.
// CHECK-LABEL: func.func @any_number
// CHECK: unwarp.barrier
func.func @past(%x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i2 = arith.constant 2 : i64
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c64) {
    %own = arith.index_cast %t : index to i64
    %far = arith.muli %own, %i2 : i64
    %to = llvm.getelementptr %s[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %to : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %at = llvm.getelementptr %s[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %at[64] : (!llvm.ptr) -> !llvm.ptr, f32
    %y = llvm.load %from : !llvm.ptr -> f32
    %out = llvm.getelementptr %q[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %out : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @reaches(%x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i2 = arith.constant 2 : i64
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c64) {
    %own = arith.index_cast %t : index to i64
    %far = arith.muli %own, %i2 : i64
    %to = llvm.getelementptr %s[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %to : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %at = llvm.getelementptr %s[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %at[63] : (!llvm.ptr) -> !llvm.ptr, f32
    %y = llvm.load %from : !llvm.ptr -> f32
    %out = llvm.getelementptr %q[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %out : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @between(%x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i2 = arith.constant 2 : i64
  %i4 = arith.constant 4 : i64
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c64) {
    %own = arith.index_cast %t : index to i64
    %even = arith.muli %own, %i2 : i64
    %far = arith.muli %own, %i4 : i64
    %to = llvm.getelementptr %s[%even] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %to : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %at = llvm.getelementptr %s[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %y = llvm.load %from : !llvm.ptr -> f32
    %out = llvm.getelementptr %q[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %out : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @among(%x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i2 = arith.constant 2 : i64
  %i4 = arith.constant 4 : i64
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c64) {
    %own = arith.index_cast %t : index to i64
    %even = arith.muli %own, %i2 : i64
    %far = arith.muli %own, %i4 : i64
    %to = llvm.getelementptr %s[%even] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %to : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %at = llvm.getelementptr %s[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %at[2] : (!llvm.ptr) -> !llvm.ptr, f32
    %y = llvm.load %from : !llvm.ptr -> f32
    %out = llvm.getelementptr %q[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %out : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @any_number(%n: index, %x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i2 = arith.constant 2 : i64
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%n) {
    %own = arith.index_cast %t : index to i64
    %far = arith.muli %own, %i2 : i64
    %to = llvm.getelementptr %s[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %to : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %at = llvm.getelementptr %s[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %at[64] : (!llvm.ptr) -> !llvm.ptr, f32
    %y = llvm.load %from : !llvm.ptr -> f32
    %out = llvm.getelementptr %q[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %out : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
