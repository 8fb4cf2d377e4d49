// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes that stay loads of their own.
// RUN: %unwarp_opt --join-loads %s | FileCheck %s
// CHECK-NOT: -> i16
// CHECK-NOT: -> i32

// A store between them.
func.func @written(%p: !llvm.ptr, %out: !llvm.ptr, %x: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : i16
  scf.forall (%t) in (%c1) {
    %p1 = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i8
    %a = llvm.load %p {alignment = 1 : i64} : !llvm.ptr -> i8
    llvm.store %x, %out : i8, !llvm.ptr
    %b = llvm.load %p1 {alignment = 1 : i64} : !llvm.ptr -> i8
    %aw = arith.extui %a : i8 to i16
    %bw = arith.extui %b : i8 to i16
    %bs = arith.shli %bw, %c8 : i16
    %ab = arith.ori %aw, %bs : i16
    llvm.store %ab, %out : i16, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Bits that overlap; a byte loaded under a condition; one that is volatile; bytes with one between them.
func.func @others(%p: !llvm.ptr, %out: !llvm.ptr, %yes: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : i16
  %c8 = arith.constant 8 : i16
  %none = arith.constant 0 : i8
  scf.forall (%t) in (%c1) {
    %p1 = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i8
    %p2 = llvm.getelementptr %p[2] : (!llvm.ptr) -> !llvm.ptr, i8
    %a = llvm.load %p {alignment = 1 : i64} : !llvm.ptr -> i8
    %b = llvm.load %p1 {alignment = 1 : i64} : !llvm.ptr -> i8
    %aw = arith.extui %a : i8 to i16
    %bw = arith.extui %b : i8 to i16
    %bs = arith.shli %bw, %c4 : i16
    %ab = arith.addi %aw, %bs : i16
    llvm.store %ab, %out : i16, !llvm.ptr

    %c = llvm.load %p {alignment = 1 : i64} : !llvm.ptr -> i8
    %d = scf.if %yes -> (i8) {
      %dd = llvm.load %p1 {alignment = 1 : i64} : !llvm.ptr -> i8
      scf.yield %dd : i8
    } else {
      scf.yield %none : i8
    }
    %cw = arith.extui %c : i8 to i16
    %dw = arith.extui %d : i8 to i16
    %ds = arith.shli %dw, %c8 : i16
    %cd = arith.ori %cw, %ds : i16
    llvm.store %cd, %out : i16, !llvm.ptr

    %e = llvm.load volatile %p {alignment = 1 : i64} : !llvm.ptr -> i8
    %f = llvm.load %p1 {alignment = 1 : i64} : !llvm.ptr -> i8
    %ew = arith.extui %e : i8 to i16
    %fw = arith.extui %f : i8 to i16
    %fs = arith.shli %fw, %c8 : i16
    %ef = arith.ori %ew, %fs : i16
    llvm.store %ef, %out : i16, !llvm.ptr

    %g = llvm.load %p {alignment = 1 : i64} : !llvm.ptr -> i8
    %h = llvm.load %p2 {alignment = 1 : i64} : !llvm.ptr -> i8
    %gw = arith.extui %g : i8 to i16
    %hw = arith.extui %h : i8 to i16
    %hs = arith.shli %hw, %c8 : i16
    %gh = arith.ori %gw, %hs : i16
    llvm.store %gh, %out : i16, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
