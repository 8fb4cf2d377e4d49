// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What uniformity analysis knows to be the same for all lanes is done once for them: the call of a function that only computes, and a
// private array whose stores all lanes make, of the same values at the same positions.
// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

llvm.func @weight(%k: i64) -> f32 {
  %x = llvm.sitofp %k : i64 to f32
  %y = llvm.fmul %x, %x : f32
  llvm.return %y : f32
}
llvm.func @elsewhere(i64) -> f32

// CHECK-LABEL: func.func @call
// CHECK:         scf.for %
// CHECK:           llvm.call @weight({{.*}}) : (i64) -> f32
// CHECK:           vector<16xf32>
func.func @call(%n: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (%c16) {
    %t64 = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %in[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
      %k64 = arith.index_cast %k : index to i64
      %w = llvm.call @weight(%k64) : (i64) -> f32
      %at = llvm.getelementptr %from[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %at : !llvm.ptr -> f32
      %p = arith.mulf %w, %x : f32
      %next = arith.addf %s, %p : f32
      scf.yield %next : f32
    }
    %to = llvm.getelementptr %out[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @array
// CHECK:         %[[ONE:.*]] = llvm.alloca
// CHECK:         scf.for %
// CHECK:           llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr
// CHECK:         scf.for %
// CHECK:           llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK:           vector<16xf32>
// CHECK-NOT:   gather
// CHECK:         return
func.func @array(%n: index, %in: !llvm.ptr, %out: !llvm.ptr, %scale: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (%c16) {
    %t64 = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %in[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %w = llvm.alloca %one x !llvm.array<64 x f32> : (i32) -> !llvm.ptr
    scf.for %k = %c0 to %n step %c1 {
      %k64 = arith.index_cast %k : index to i64
      %x = arith.sitofp %k64 : i64 to f32
      %y = arith.mulf %x, %scale : f32
      %place = llvm.getelementptr %w[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %y, %place : f32, !llvm.ptr
    }
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
      %k64 = arith.index_cast %k : index to i64
      %place = llvm.getelementptr %w[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %place : !llvm.ptr -> f32
      %at = llvm.getelementptr %from[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %at : !llvm.ptr -> f32
      %p = arith.mulf %y, %x : f32
      %q = arith.mulf %p, %p : f32
      %next = arith.addf %s, %q : f32
      scf.yield %next : f32
    }
    %to = llvm.getelementptr %out[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// A function that is not looked into, one whose argument differs; an array that some lanes store to only, or other values.
// CHECK-LABEL: func.func @unknown
// CHECK-NOT:     vector
func.func @unknown(%n: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (%c16) {
    %t64 = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %in[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
      %k64 = arith.index_cast %k : index to i64
      %w = llvm.call @elsewhere(%k64) : (i64) -> f32
      %at = llvm.getelementptr %from[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %at : !llvm.ptr -> f32
      %p = arith.mulf %w, %x : f32
      %next = arith.addf %s, %p : f32
      scf.yield %next : f32
    }
    %sum2 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %sum) -> (f32) {
      %k64 = arith.index_cast %k : index to i64
      %own = arith.addi %k64, %t64 : i64
      %w = llvm.call @weight(%own) : (i64) -> f32
      %p = arith.mulf %w, %s : f32
      scf.yield %p : f32
    }
    %to = llvm.getelementptr %out[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum2, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @different
// CHECK-NOT:     vector
func.func @different(%n: index, %in: !llvm.ptr, %out: !llvm.ptr, %scale: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (%c16) {
    %t64 = arith.index_cast %t : index to i64
    %first = arith.cmpi eq, %t, %c0 : index
    %w = llvm.alloca %one x !llvm.array<64 x f32> : (i32) -> !llvm.ptr
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
      %k64 = arith.index_cast %k : index to i64
      %place = llvm.getelementptr %w[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      scf.if %first {
        llvm.store %scale, %place : f32, !llvm.ptr
      }
      %y = llvm.load %place : !llvm.ptr -> f32
      %q = arith.mulf %y, %y : f32
      %p = arith.mulf %q, %y : f32
      %next = arith.addf %s, %p : f32
      scf.yield %next : f32
    }
    %v = llvm.alloca %one x !llvm.array<64 x f32> : (i32) -> !llvm.ptr
    %sum2 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %sum) -> (f32) {
      %k64 = arith.index_cast %k : index to i64
      %place = llvm.getelementptr %v[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %s, %place : f32, !llvm.ptr
      %y = llvm.load %place : !llvm.ptr -> f32
      %q = arith.mulf %y, %y : f32
      %next = arith.addf %s, %q : f32
      scf.yield %next : f32
    }
    %to = llvm.getelementptr %out[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum2, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
