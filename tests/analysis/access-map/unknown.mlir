// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is not known of an access, and what is known in spite of it.
// RUN: %unwarp_opt --print-analysis=access %s | FileCheck %s

// Squares are no sum; neither is a position that was loaded, but the same position for all threads is the same for all.
// A position that a branch chooses is another one where the branch asks for the index.
// CHECK-LABEL: access in @positions
// CHECK: access 0: llvm.load
// CHECK-NEXT: (block, at most 64): ?, unknown
// CHECK: access 1: llvm.load
// CHECK-NEXT: (block, at most 64): 0, broadcast
// CHECK: access 2: llvm.load
// CHECK-NEXT: (block, at most 64): 4, linear{{$}}
// CHECK-NEXT: common: 0 + 4*%{{[0-9]+}}
// CHECK: access 3: llvm.load
// CHECK-NEXT: (block, at most 64): 4, linear{{$}}
// CHECK: access 4: llvm.load
// CHECK-NEXT: (block, at most 64): ?, unknown
// CHECK: access 5: llvm.load
// CHECK-NEXT: (block, at most 64): 4, linear{{$}}
// CHECK: access 6: llvm.load
// CHECK-NEXT: (block, at most 64): ?, unknown
// CHECK: access 7: llvm.load {{.*}}exact
// CHECK-NEXT: (block, at most 64): ?, unknown
func.func @positions(%p: !llvm.ptr, %q: !llvm.ptr, %c: i1, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i9 = arith.constant 9 : i64
  scf.forall (%t) in (%c64) {
    %x = arith.index_cast %t : index to i64
    %square = arith.muli %x, %x : i64
    %a0 = llvm.getelementptr %p[%square] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v0 = llvm.load %a0 : !llvm.ptr -> f32
    %common = llvm.load %q : !llvm.ptr -> i64
    %s2 = arith.addi %x, %common : i64
    %a2 = llvm.getelementptr %p[%s2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v2 = llvm.load %a2 : !llvm.ptr -> f32
    %own = llvm.getelementptr %q[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %index = llvm.load %own : !llvm.ptr -> i32
    %wide = arith.extsi %index : i32 to i64
    %s4 = arith.addi %x, %wide : i64
    %a4 = llvm.getelementptr %p[%s4] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v4 = llvm.load %a4 : !llvm.ptr -> f32
    %either = scf.if %c -> i64 {
      scf.yield %i9 : i64
    } else {
      scf.yield %n : i64
    }
    %s5 = arith.addi %x, %either : i64
    %a5 = llvm.getelementptr %p[%s5] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v5 = llvm.load %a5 : !llvm.ptr -> f32
    %first = arith.cmpi slt, %x, %n : i64
    %some = scf.if %first -> i64 {
      scf.yield %i9 : i64
    } else {
      scf.yield %n : i64
    }
    %s6 = arith.addi %x, %some : i64
    %a6 = llvm.getelementptr %p[%s6] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v6 = llvm.load %a6 : !llvm.ptr -> f32
    %object = llvm.alloca %i9 x f32 : (i64) -> !llvm.ptr
    %v7 = llvm.load %object : !llvm.ptr -> f32
  } {mapping = [#gpu.thread<x>]}
  return
}

// What is carried from iteration to iteration, and what is loaded in each, may be anything in the next one; threads
// have the same in one iteration.
// CHECK-LABEL: access in @carried
// CHECK: access 1: llvm.load
// CHECK-NEXT: (block, at most 64): 4, linear
// CHECK-NEXT: (serial{{.*}}): ?, unknown
// CHECK: access 2: llvm.load
// CHECK-NEXT: (block, at most 64): 4, linear
// CHECK-NEXT: (serial{{.*}}): ?, unknown
// CHECK-NEXT: common
// CHECK-NOT: row of
// CHECK-NOT: footprint from
func.func @carried(%p: !llvm.ptr, %q: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i0 = arith.constant 0 : i64
  scf.forall (%t) in (%c64) {
    %x = arith.index_cast %t : index to i64
    %end = scf.for %k = %c0 to %n step %c1 iter_args(%at = %i0) -> (i64) {
      %next = llvm.load %q : !llvm.ptr -> i64
      %s = arith.addi %x, %at : i64
      %a = llvm.getelementptr %p[%s] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      %s2 = arith.addi %x, %next : i64
      %a2 = llvm.getelementptr %p[%s2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v2 = llvm.load %a2 : !llvm.ptr -> f32
      %sum = arith.addi %at, %next : i64
      scf.yield %sum : i64
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// What a loop carries is the same for all threads if its start, its steps and its end are, whatever else it carries; and
// another one where one of them is not.
// CHECK-LABEL: access in @steps
// CHECK: access 1: llvm.load
// CHECK-NEXT: (block, at most 64): 4, linear
// CHECK: access 2: llvm.load
// CHECK-NEXT: (block, at most 64): ?, unknown
// CHECK: access 3: llvm.load
// CHECK-NEXT: (block, at most 64): ?, unknown
// CHECK: access 4: llvm.load
// CHECK-NEXT: (block, at most 64): 4, linear
// CHECK: access 5: llvm.load
// CHECK-NEXT: (block, at most 64): ?, unknown
func.func @steps(%p: !llvm.ptr, %n: index, %plane: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i0 = arith.constant 0 : i64
  scf.forall (%t) in (%c64) {
    %x = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %p[%x] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %start = llvm.load %own : !llvm.ptr -> i64
    %end:3 = scf.for %k = %c0 to %n step %c1 iter_args(%far = %i0, %kept = %start, %sum = %i0) -> (i64, i64, i64) {
      %s1 = arith.addi %x, %far : i64
      %a1 = llvm.getelementptr %p[%s1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v1 = llvm.load %a1 : !llvm.ptr -> f32
      %s2 = arith.addi %x, %sum : i64
      %a2 = llvm.getelementptr %p[%s2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v2 = llvm.load %a2 : !llvm.ptr -> f32
      %next = arith.addi %far, %plane : i64
      %more = arith.addi %sum, %kept : i64
      scf.yield %next, %far, %more : i64, i64, i64
    }
    %few = scf.while (%w = %start) : (i64) -> i64 {
      %again = arith.cmpi slt, %w, %plane : i64
      scf.condition(%again) %w : i64
    } do {
    ^bb0(%v: i64):
      %next = arith.addi %v, %plane : i64
      scf.yield %next : i64
    }
    %s3 = arith.addi %x, %few : i64
    %a3 = llvm.getelementptr %p[%s3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v3 = llvm.load %a3 : !llvm.ptr -> f32
    %s4 = arith.addi %x, %end#0 : i64
    %a4 = llvm.getelementptr %p[%s4] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v4 = llvm.load %a4 : !llvm.ptr -> f32
    %s5 = arith.addi %x, %end#1 : i64
    %a5 = llvm.getelementptr %p[%s5] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v5 = llvm.load %a5 : !llvm.ptr -> f32
  } {mapping = [#gpu.thread<x>]}
  return
}

// Sums of 32 bits may wrap around: not where they say that they do not, nor where their values are small. A step that
// is a product of two values is one value to the map. An atomic operation that orders others may be about any memory.
// CHECK-LABEL: access in @wrapping
// CHECK: access 0: llvm.load reads %arg0, 4 bytes, modulo 2^32
// CHECK-NEXT: (block, at most 64): 4, linear
// CHECK-NEXT: common: 0 + 4*%arg1
// CHECK: access 1: llvm.load reads %arg0, 4 bytes, exact
// CHECK: access 2: llvm.load reads %arg0, 4 bytes, exact
// CHECK: access 3: llvm.load reads %arg0, 4 bytes, modulo 2^32
// CHECK: access 4: llvm.load reads %arg0, 4 bytes, exact
// CHECK: access 5: llvm.atomicrmw reads and writes %arg0, 4 bytes, exact
// CHECK: access 6: llvm.atomicrmw anywhere
func.func @wrapping(%p: !llvm.ptr, %n: i32, %one: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i100 = arith.constant 100 : i32
  %few = arith.minui %n, %i100 : i32
  scf.forall (%t) in (%c64) {
    %x = arith.index_cast %t : index to i32
    %s0 = arith.addi %x, %n : i32
    %w0 = arith.extsi %s0 : i32 to i64
    %a0 = llvm.getelementptr %p[%w0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v0 = llvm.load %a0 : !llvm.ptr -> f32
    %s1 = arith.addi %x, %n overflow<nsw> : i32
    %w1 = arith.extsi %s1 : i32 to i64
    %a1 = llvm.getelementptr %p[%w1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v1 = llvm.load %a1 : !llvm.ptr -> f32
    %s2 = arith.addi %x, %few : i32
    %w2 = arith.extsi %s2 : i32 to i64
    %a2 = llvm.getelementptr %p[%w2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v2 = llvm.load %a2 : !llvm.ptr -> f32
    %s3 = arith.subi %x, %few : i32
    %w3 = arith.extui %s3 : i32 to i64
    %a3 = llvm.getelementptr %p[%w3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v3 = llvm.load %a3 : !llvm.ptr -> f32
    %w4 = arith.extsi %s3 : i32 to i64
    %a4 = llvm.getelementptr %p[%w4] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v4 = llvm.load %a4 : !llvm.ptr -> f32
    %o5 = llvm.atomicrmw add %a2, %one monotonic : !llvm.ptr, i32
    %o6 = llvm.atomicrmw add %a2, %one acq_rel : !llvm.ptr, i32
  } {mapping = [#gpu.thread<x>]}
  return
}
