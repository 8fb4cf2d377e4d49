// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A private array that is set to the same in all lanes stays each lane's own where they treat it differently later: in a part of a larger one.
// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {

// Some lanes store once more.
// CHECK-LABEL: func.func @some_lanes(
// CHECK: llvm.alloca %c16_i32
func.func @some_lanes(%n: index, %in: !llvm.ptr, %out: !llvm.ptr, %scale: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (%c16) {
    %t64 = arith.index_cast %t : index to i64
    %w = llvm.alloca %one x !llvm.array<64 x f32> : (i32) -> !llvm.ptr
    scf.for %k = %c0 to %n step %c1 {
      %k64 = arith.index_cast %k : index to i64
      %place = llvm.getelementptr %w[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %place : f32, !llvm.ptr
    }
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      llvm.store %scale, %w : f32, !llvm.ptr
    }
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
      %k64 = arith.index_cast %k : index to i64
      %place = llvm.getelementptr %w[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %place : !llvm.ptr -> f32
      %p = arith.mulf %y, %s : f32
      %q = arith.addf %p, %scale : f32
      %r = math.exp %q : f32
      %next = arith.addf %r, %p : f32
      scf.yield %next : f32
    }
    %to = llvm.getelementptr %out[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Each lane stores to an address of its own.
// CHECK-LABEL: func.func @own_places(
// CHECK: llvm.alloca %c16_i32
func.func @own_places(%n: index, %in: !llvm.ptr, %out: !llvm.ptr, %scale: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (%c16) {
    %t64 = arith.index_cast %t : index to i64
    %w = llvm.alloca %one x !llvm.array<64 x f32> : (i32) -> !llvm.ptr
    scf.for %k = %c0 to %n step %c1 {
      %k64 = arith.index_cast %k : index to i64
      %place = llvm.getelementptr %w[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %place : f32, !llvm.ptr
    }
    %own = llvm.getelementptr %w[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %scale, %own : f32, !llvm.ptr
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
      %k64 = arith.index_cast %k : index to i64
      %place = llvm.getelementptr %w[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %place : !llvm.ptr -> f32
      %p = arith.mulf %y, %s : f32
      %q = arith.addf %p, %scale : f32
      %r = math.exp %q : f32
      %next = arith.addf %r, %p : f32
      scf.yield %next : f32
    }
    %to = llvm.getelementptr %out[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Each lane leaves the address of its own array.
// CHECK-LABEL: func.func @address(
// CHECK: llvm.alloca %c16_i32
func.func @address(%n: index, %in: !llvm.ptr, %out: !llvm.ptr, %scale: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (%c16) {
    %t64 = arith.index_cast %t : index to i64
    %w = llvm.alloca %one x !llvm.array<64 x f32> : (i32) -> !llvm.ptr
    %given = llvm.getelementptr %in[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
    llvm.store %w, %given : !llvm.ptr, !llvm.ptr
    scf.for %k = %c0 to %n step %c1 {
      %k64 = arith.index_cast %k : index to i64
      %place = llvm.getelementptr %w[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %place : f32, !llvm.ptr
    }
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
      %k64 = arith.index_cast %k : index to i64
      %place = llvm.getelementptr %w[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %place : !llvm.ptr -> f32
      %p = arith.mulf %y, %s : f32
      %q = arith.addf %p, %scale : f32
      %r = math.exp %q : f32
      %next = arith.addf %r, %p : f32
      scf.yield %next : f32
    }
    %to = llvm.getelementptr %out[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
