// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How threads and their iterations go through memory.
// RUN: %unwarp_opt --print-analysis=access %s | FileCheck %s

// A thread's index, backwards, every third element, half an element, and not at all.
// CHECK-LABEL: access in @threads
// CHECK: access 0: llvm.load reads %arg0, 4 bytes, exact
// CHECK-NEXT: (block, at most 64): 4, linear{{$}}
// CHECK-NEXT: common: 0{{$}}
// CHECK-NEXT: row of bytes: [4] + 0
// CHECK-NEXT: footprint from %{{.*}} on: 256 bytes
// CHECK: access 1: llvm.load
// CHECK-NEXT: (block, at most 64): -4, reverse linear{{$}}
// CHECK-NEXT: common: 252{{$}}
// CHECK: access 2: llvm.load
// CHECK-NEXT: (block, at most 64): 12, strided{{$}}
// CHECK: footprint from %{{.*}} on: 760 bytes
// CHECK: access 3: llvm.load
// CHECK-NEXT: (block, at most 64): 2, overlapped{{$}}
// CHECK: access 4: llvm.load
// CHECK-NEXT: (block, at most 64): 0, broadcast{{$}}
// CHECK: footprint from %{{.*}} on: 4 bytes
func.func @threads(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i3 = arith.constant 3 : i64
  %i63 = arith.constant 63 : i64
  scf.forall (%t) in (%c64) {
    %x = arith.index_cast %t : index to i64
    %back = arith.subi %i63, %x : i64
    %far = arith.muli %x, %i3 : i64
    %a0 = llvm.getelementptr %p[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v0 = llvm.load %a0 : !llvm.ptr -> f32
    %a1 = llvm.getelementptr %p[%back] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v1 = llvm.load %a1 : !llvm.ptr -> f32
    %a2 = llvm.getelementptr %p[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v2 = llvm.load %a2 : !llvm.ptr -> f32
    %a3 = llvm.getelementptr %p[%x] : (!llvm.ptr, i64) -> !llvm.ptr, i16
    %v3 = llvm.load %a3 : !llvm.ptr -> f32
    %v4 = llvm.load %p : !llvm.ptr -> f32
  } {mapping = [#gpu.thread<x>]}
  return
}

// Rows of unknown length: each is a row of the matrix, as the dimensions of an array are. What is the same for all is
// beside it.
// CHECK-LABEL: access in @matrix
// CHECK: access 0: llvm.store writes %arg0, 4 bytes, exact
// CHECK-NEXT: %[[Y:.*]] (block, at most 4096): 4*%[[M:.*]], strided
// CHECK-NEXT: (block, at most 4096): 4, linear
// CHECK-NEXT: (serial): 8 + 8*%[[M]], strided
// CHECK-NEXT: common: 4 + 8*%[[M]]
// CHECK-NEXT: row of bytes: [0 4 8] + 4
// CHECK-NEXT: row of %[[M]]: [4 0 8] + 8
// CHECK-NOT: footprint
func.func @matrix(%p: !llvm.ptr, %n: index, %m: i64, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i1 = arith.constant 1 : i64
  %i2 = arith.constant 2 : i64
  scf.forall (%ty, %tx) in (%n, %n) {
    %y = arith.index_cast %ty : index to i64
    %x = arith.index_cast %tx : index to i64
    scf.for %tk = %c0 to %n step %c1 {
      %k = arith.index_cast %tk : index to i64
      %k2 = arith.muli %k, %i2 overflow<nsw> : i64
      %row = arith.addi %y, %k2 overflow<nsw> : i64
      %rowof = arith.addi %row, %i2 overflow<nsw> : i64
      %start = arith.muli %rowof, %m overflow<nsw> : i64
      %column = arith.addi %x, %k2 overflow<nsw> : i64
      %next = arith.addi %column, %i1 overflow<nsw> : i64
      %at = arith.addi %start, %next overflow<nsw> : i64
      %a = llvm.getelementptr %p[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %a : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// A window of 16 elements for each thread: neighbours share most of it. Where iterations are as far apart as the row of
// threads is long, nobody comes back to an element.
// CHECK-LABEL: access in @windows
// CHECK: access 0: llvm.load
// CHECK-NEXT: (block, at most 64): 4, linear, overlapped
// CHECK-NEXT: (serial, at most 16): 4, linear{{$}}
// CHECK: footprint from %{{.*}} on: 316 bytes
// CHECK: access 1: llvm.load
// CHECK-NEXT: (block, at most 64): 4, linear{{$}}
// CHECK-NEXT: (serial, at most 16): 256, strided{{$}}
// CHECK: footprint from %{{.*}} on: 4096 bytes
func.func @windows(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.forall (%t) in (%c64) {
    scf.for %k = %c0 to %c16 step %c1 {
      %far = arith.muli %k, %c64 : index
      %near = arith.addi %t, %k : index
      %off = arith.addi %t, %far : index
      %i = arith.index_cast %near : index to i64
      %j = arith.index_cast %off : index to i64
      %a0 = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v0 = llvm.load %a0 : !llvm.ptr -> f32
      %a1 = llvm.getelementptr %p[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v1 = llvm.load %a1 : !llvm.ptr -> f32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// The counter begins at the thread's index and goes by the number of threads: in each iteration neighbours have
// neighbours.
// CHECK-LABEL: access in @by_the_grid
// CHECK: access 0: llvm.load
// CHECK-NEXT: (grid): 1024, strided
// CHECK-NEXT: (block, at most 256): 4, linear{{$}}
// CHECK-NEXT: (serial): 4*%[[ALL:.*]], strided
// CHECK-NEXT: common: 0
func.func @by_the_grid(%p: !llvm.ptr, %blocks: index, %all: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  scf.forall (%b) in (%blocks) {
    %first = arith.muli %b, %c256 : index
    scf.forall (%t) in (%c256) {
      %start = arith.addi %first, %t : index
      scf.for %k = %start to %n step %all {
        %i = arith.index_cast %k : index to i64
        %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
