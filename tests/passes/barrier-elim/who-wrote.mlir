// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --barrier-elim %s | FileCheck %s

// A thread that reads its own address reads what it wrote itself, if each thread writes to its own: two that write to the
// same one would race. Not so if threads add to addresses, which several may share, if only some write, if a thread reads
// more than it wrote, and if a call wrote.

// CHECK-LABEL: func.func @own
// CHECK-NOT: unwarp.barrier
// CHECK-LABEL: func.func @adds
// CHECK: unwarp.barrier
// CHECK-LABEL: func.func @some_write
// CHECK: unwarp.barrier
// CHECK-LABEL: func.func @longer
// CHECK: unwarp.barrier
// CHECK-LABEL: func.func @call
// CHECK: unwarp.barrier
llvm.func @other()

func.func @own(%height: index, %width: index, %n: index, %x: f32, %s: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  scf.forall (%y, %i) in (%height, %width) {
    %row = arith.muli %y, %n : index
    %place = arith.addi %row, %i : index
    %k = arith.index_cast %place : index to i64
    %out = llvm.alloca %one x f64 : (i64) -> !llvm.ptr
    %own = llvm.getelementptr %s[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %v = llvm.load %own : !llvm.ptr -> f32
    llvm.store %v, %out : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @adds(%height: index, %width: index, %n: index, %x: f32, %s: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  scf.forall (%y, %i) in (%height, %width) {
    %row = arith.muli %y, %n : index
    %place = arith.addi %row, %i : index
    %k = arith.index_cast %place : index to i64
    %out = llvm.alloca %one x f64 : (i64) -> !llvm.ptr
    %own = llvm.getelementptr %s[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %old = llvm.atomicrmw fadd %own, %x monotonic : !llvm.ptr, f32
    "unwarp.barrier"() {level = "block"} : () -> ()
    %v = llvm.load %own : !llvm.ptr -> f32
    llvm.store %v, %out : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @some_write(%height: index, %width: index, %n: index, %x: f32, %s: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  scf.forall (%y, %i) in (%height, %width) {
    %row = arith.muli %y, %n : index
    %place = arith.addi %row, %i : index
    %k = arith.index_cast %place : index to i64
    %out = llvm.alloca %one x f64 : (i64) -> !llvm.ptr
    %own = llvm.getelementptr %s[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %first = arith.cmpi eq, %i, %c0 : index
    scf.if %first {
      llvm.store %x, %own : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %v = llvm.load %own : !llvm.ptr -> f32
    llvm.store %v, %out : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @longer(%height: index, %width: index, %n: index, %x: f32, %s: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  scf.forall (%y, %i) in (%height, %width) {
    %row = arith.muli %y, %n : index
    %place = arith.addi %row, %i : index
    %k = arith.index_cast %place : index to i64
    %out = llvm.alloca %one x f64 : (i64) -> !llvm.ptr
    %own = llvm.getelementptr %s[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %v = llvm.load %own : !llvm.ptr -> f64
    llvm.store %v, %out : f64, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @call(%height: index, %width: index, %n: index, %x: f32, %s: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  scf.forall (%y, %i) in (%height, %width) {
    %row = arith.muli %y, %n : index
    %place = arith.addi %row, %i : index
    %k = arith.index_cast %place : index to i64
    %out = llvm.alloca %one x f64 : (i64) -> !llvm.ptr
    %own = llvm.getelementptr %s[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.call @other() : () -> ()
    "unwarp.barrier"() {level = "block"} : () -> ()
    %v = llvm.load %own : !llvm.ptr -> f32
    llvm.store %v, %out : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}
