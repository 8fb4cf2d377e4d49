// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unwarp_opt --split-divisions %s | FileCheck %s

// In the parts the divisor is 16 or more: what guards a remainder against 0, and against -1 for the least integer, is gone, so that the thread's
// position is what is stored. The row as it was keeps it.
// CHECK-LABEL: func.func @guarded
// CHECK: scf.for %
// CHECK: %[[rest:.*]] = arith.trunci
// CHECK: arith.extsi %[[rest]] : i32 to i64
// CHECK: } else {
// CHECK: arith.cmpi eq, %arg2
// CHECK: arith.remsi
// CHECK: arith.select
func.func @guarded(%first: i32, %n: index, %columns: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %minus_one = arith.constant -1 : i32
  %least = arith.constant -2147483648 : i32
  scf.forall (%z, %y, %x) in (%c1, %c1, %n) {
    %t = arith.index_castui %x : index to i32
    %i = arith.addi %first, %t overflow<nsw> : i32
    %is_zero = arith.cmpi eq, %columns, %zero : i32
    %is_least = arith.cmpi eq, %i, %least : i32
    %is_minus_one = arith.cmpi eq, %columns, %minus_one : i32
    %overflows = arith.andi %is_least, %is_minus_one : i1
    %bad = arith.ori %is_zero, %overflows : i1
    %divisor = arith.select %bad, %one, %columns : i32
    %column = arith.remsi %i, %divisor : i32
    %place = arith.select %is_zero, %minus_one, %column : i32
    %wide = arith.extsi %place : i32 to i64
    llvm.store %wide, %p : i64, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// The same where each thread multiplies the divisor up, and of the remainder that is divided again.
// CHECK-LABEL: func.func @products
// CHECK: scf.for %
// CHECK: scf.for %
// CHECK: scf.forall
// CHECK-NOT: arith.remsi
// CHECK: llvm.store
// CHECK: } else {
// CHECK: scf.forall
// CHECK: arith.remsi
// CHECK-NOT: arith.remsi
// CHECK: llvm.store
// CHECK: } else {
// CHECK: scf.forall
// CHECK: arith.cmpi eq
// CHECK: arith.remsi
// CHECK: arith.remsi
func.func @products(%first: i32, %n: index, %rows: i32, %columns: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %minus_one = arith.constant -1 : i32
  %least = arith.constant -2147483648 : i32
  scf.forall (%z, %y, %x) in (%c1, %c1, %n) {
    %t = arith.index_castui %x : index to i32
    %i = arith.addi %first, %t overflow<nsw> : i32
    %plane = arith.muli %rows, %columns overflow<nsw> : i32
    %is_zero = arith.cmpi eq, %plane, %zero : i32
    %is_least = arith.cmpi eq, %i, %least : i32
    %is_minus_one = arith.cmpi eq, %plane, %minus_one : i32
    %overflows = arith.andi %is_least, %is_minus_one : i1
    %bad = arith.ori %is_zero, %overflows : i1
    %divisor = arith.select %bad, %one, %plane : i32
    %rest = arith.remsi %i, %divisor : i32
    %within = arith.select %is_zero, %minus_one, %rest : i32
    %column = arith.remsi %within, %columns : i32
    %wide = arith.extsi %column : i32 to i64
    llvm.store %wide, %p : i64, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// The guard against 0 as the greater of the divisor and 1, with another one around it.
// CHECK-LABEL: func.func @greater
// CHECK: scf.for %
// CHECK: scf.forall
// CHECK: %[[rest:.*]] = arith.trunci
// CHECK-NOT: arith.remui
// CHECK: arith.extsi %[[rest]] : i32 to i64
// CHECK: } else {
// CHECK: arith.remui
func.func @greater(%first: i32, %n: index, %columns: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %minus_one = arith.constant -1 : i32
  scf.forall (%z, %y, %x) in (%c1, %c1, %n) {
    %t = arith.index_castui %x : index to i32
    %i = arith.addi %first, %t overflow<nsw> : i32
    %is_zero = arith.cmpi eq, %columns, %zero : i32
    %greater = arith.maxui %columns, %one : i32
    %still_zero = arith.cmpi eq, %greater, %zero : i32
    %divisor = arith.select %still_zero, %one, %greater : i32
    %column = arith.remui %i, %divisor : i32
    %place = arith.select %is_zero, %minus_one, %column : i32
    %wide = arith.extsi %place : i32 to i64
    llvm.store %wide, %p : i64, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// Not where it may be larger than the divisor of a part: this one is the divisor.
// CHECK-LABEL: func.func @at_least_20
// CHECK: arith.maxui
// CHECK: scf.for %
func.func @at_least_20(%first: i32, %n: index, %columns: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %twenty = arith.constant 20 : i32
  scf.forall (%z, %y, %x) in (%c1, %c1, %n) {
    %t = arith.index_castui %x : index to i32
    %i = arith.addi %first, %t overflow<nsw> : i32
    %divisor = arith.maxui %columns, %twenty : i32
    %column = arith.remui %i, %divisor : i32
    %wide = arith.extsi %column : i32 to i64
    llvm.store %wide, %p : i64, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// A guard that was asked before the row: in the parts its choice is none.

// CHECK-LABEL: func.func @before
// CHECK: scf.forall
// CHECK: %[[CHOICE:.*]] = arith.select
// CHECK-NOT: llvm.store %[[CHOICE]]
// CHECK: } else {
// CHECK: arith.divui
// CHECK: %[[CHOICE:.*]] = arith.select
// CHECK: llvm.store %[[CHOICE]]
func.func @before(%first: i32, %n: index, %columns: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant -1 : i32
  %is_zero = arith.cmpi eq, %columns, %zero : i32
  %safe = arith.maxui %columns, %one : i32
  scf.forall (%x) in (%n) {
    %xi = arith.index_castui %x : index to i32
    %i = arith.addi %first, %xi : i32
    %row = arith.divui %i, %safe : i32
    %value = arith.select %is_zero, %none, %row : i32
    %address = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %value, %address : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
