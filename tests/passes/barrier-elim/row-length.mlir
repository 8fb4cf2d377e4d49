// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The index of a thread in its block is y * width + x, and nothing else: addresses that only look alike are shared by threads.
// RUN: %unwarp_opt --barrier-elim %s | FileCheck %s

// CHECK-LABEL: func.func @leader
// CHECK: unwarp.barrier
// CHECK-LABEL: func.func @two_scales
// CHECK: unwarp.barrier
// CHECK-LABEL: func.func @wraps
// CHECK: unwarp.barrier
// CHECK-LABEL: func.func @index_in_block
// CHECK-NOT: unwarp.barrier

// All threads of a row read what its first one wrote: z*height + y has no x in it.
func.func @leader(%depth: index, %height: index, %width: index, %x: f32, %s: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  scf.forall (%z, %y, %i) in (%depth, %height, %width) {
    %out = llvm.alloca %one x f32 : (i64) -> !llvm.ptr
    %plane = arith.muli %z, %height : index
    %place = arith.addi %plane, %y : index
    %k = arith.index_cast %place : index to i64
    %p = llvm.getelementptr %s[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %first = arith.cmpi eq, %i, %c0 : index
    scf.if %first {
      llvm.store %x, %p : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %v = llvm.load %p : !llvm.ptr -> f32
    llvm.store %v, %out : f32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// y*width + i*m: with m = width, thread (0, 1) reads what thread (1, 0) wrote.
func.func @two_scales(%height: index, %width: index, %m: index, %x: f32, %s: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  scf.forall (%y, %i) in (%height, %width) {
    %out = llvm.alloca %one x f32 : (i64) -> !llvm.ptr
    %row = arith.muli %y, %width : index
    %column = arith.muli %i, %m : index
    %place = arith.addi %row, %column : index
    %k = arith.index_cast %place : index to i64
    %p = llvm.getelementptr %s[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %first = arith.cmpi eq, %i, %c0 : index
    scf.if %first {
      llvm.store %x, %p : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %v = llvm.load %p : !llvm.ptr -> f32
    llvm.store %v, %out : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// The index of the thread in its block, times 2^30 in 32 bits: thread 4 reads what thread 0 wrote. (Unsigned arithmetic may wrap.)
func.func @wraps(%height: index, %width: index, %x: i8, %s: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %much = arith.constant 1073741824 : i32
  %zero = arith.constant 0 : i32
  scf.forall (%y, %i) in (%height, %width) {
    %out = llvm.alloca %one x i8 : (i64) -> !llvm.ptr
    %row = arith.muli %y, %width : index
    %place = arith.addi %row, %i : index
    %k = arith.index_cast %place : index to i32
    %far = arith.muli %k, %much : i32
    %p = llvm.getelementptr %s[%far] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    %first = arith.cmpi eq, %k, %zero : i32
    scf.if %first {
      llvm.store %x, %p : i8, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %v = llvm.load %p : !llvm.ptr -> i8
    llvm.store %v, %out : i8, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @index_in_block(%height: index, %width: index, %x: i8, %s: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %factor = arith.constant 2097152 : i32
  %zero = arith.constant 0 : i32
  scf.forall (%y, %i) in (%height, %width) {
    %out = llvm.alloca %one x i8 : (i64) -> !llvm.ptr
    %row = arith.muli %y, %width : index
    %place = arith.addi %row, %i : index
    %k = arith.index_cast %place : index to i32
    %far = arith.muli %k, %factor : i32
    %p = llvm.getelementptr %s[%far] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    %first = arith.cmpi eq, %k, %zero : i32
    scf.if %first {
      llvm.store %x, %p : i8, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %v = llvm.load %p : !llvm.ptr -> i8
    llvm.store %v, %out : i8, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}
