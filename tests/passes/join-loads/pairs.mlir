// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unwarp_opt --join-loads %s | FileCheck %s

// Two neighbouring elements of two bytes are one word where the first is aligned as one, and nothing comes in between that writes (of
// stores: that reads).
// CHECK-LABEL: func.func @copy
// CHECK: %[[WORD:.*]] = llvm.load %[[FROM:.*]] {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: %[[UPPER:.*]] = arith.shrui %[[WORD]]
// CHECK: arith.trunci %[[WORD]] : i32 to i16
// CHECK: arith.trunci %[[UPPER]] : i32 to i16
// CHECK-NOT: llvm.load
// CHECK: arith.shli
// CHECK: %[[BOTH:.*]] = arith.ori
// CHECK: llvm.store %[[BOTH]], %{{.*}} {alignment = 4 : i64} : i32
// CHECK-NOT: llvm.store
// CHECK-LABEL: func.func @backwards
// CHECK: llvm.load {{.*}} -> i16
// CHECK: llvm.load {{.*}} -> i16
// CHECK: llvm.store {{.*}} : i32
// CHECK-NOT: llvm.store
// CHECK-LABEL: func.func @not_aligned
// CHECK-NOT: i32,
// CHECK-LABEL: func.func @written_between
// CHECK: llvm.load {{.*}} -> f16
// CHECK: llvm.store {{.*}} : f16
// CHECK: llvm.load {{.*}} -> f16
// CHECK: llvm.store {{.*}} : f16
// CHECK-LABEL: func.func @read_between
// CHECK: llvm.store {{.*}} : f16
// CHECK: llvm.load {{.*}} -> i8
// CHECK: llvm.store {{.*}} : f16
// CHECK-LABEL: func.func @not_neighbours
// CHECK-NOT: -> i32
func.func @copy(%n: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    %i = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %next = llvm.getelementptr %from[2] : (!llvm.ptr) -> !llvm.ptr, i8
    %a = llvm.load %from {alignment = 4 : i64} : !llvm.ptr -> f16
    %b = llvm.load %next {alignment = 2 : i64} : !llvm.ptr -> f16
    %x = arith.addf %a, %b : f16
    %y = arith.mulf %a, %b : f16
    %to = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %there = llvm.getelementptr %to[2] : (!llvm.ptr) -> !llvm.ptr, i8
    llvm.store %x, %to {alignment = 4 : i64} : f16, !llvm.ptr
    llvm.store %y, %there {alignment = 2 : i64} : f16, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @backwards(%n: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    %i = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %next = llvm.getelementptr %from[2] : (!llvm.ptr) -> !llvm.ptr, i8
    %b = llvm.load %next {alignment = 2 : i64} : !llvm.ptr -> i16
    %a = llvm.load %from {alignment = 4 : i64} : !llvm.ptr -> i16
    %to = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %there = llvm.getelementptr %to[2] : (!llvm.ptr) -> !llvm.ptr, i8
    llvm.store %b, %there {alignment = 2 : i64} : i16, !llvm.ptr
    llvm.store %a, %to {alignment = 4 : i64} : i16, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @not_aligned(%n: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    %i = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %next = llvm.getelementptr %from[2] : (!llvm.ptr) -> !llvm.ptr, i8
    %a = llvm.load %from {alignment = 2 : i64} : !llvm.ptr -> i16
    %b = llvm.load %next {alignment = 2 : i64} : !llvm.ptr -> i16
    %x = arith.addi %a, %b : i16
    %to = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i16
    llvm.store %x, %to {alignment = 2 : i64} : i16, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @written_between(%n: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    %i = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %next = llvm.getelementptr %from[2] : (!llvm.ptr) -> !llvm.ptr, i8
    %to = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %from {alignment = 4 : i64} : !llvm.ptr -> f16
    llvm.store %a, %to {alignment = 4 : i64} : f16, !llvm.ptr
    %b = llvm.load %next {alignment = 2 : i64} : !llvm.ptr -> f16
    llvm.store %b, %from {alignment = 4 : i64} : f16, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @read_between(%n: index, %p: !llvm.ptr, %q: !llvm.ptr, %x: f16) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    %i = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %there = llvm.getelementptr %to[2] : (!llvm.ptr) -> !llvm.ptr, i8
    llvm.store %x, %to {alignment = 4 : i64} : f16, !llvm.ptr
    %b = llvm.load %p : !llvm.ptr -> i8
    llvm.store %x, %there {alignment = 2 : i64} : f16, !llvm.ptr
    %last = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.store %b, %last : i8, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @not_neighbours(%n: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    %i = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %next = llvm.getelementptr %from[4] : (!llvm.ptr) -> !llvm.ptr, i8
    %a = llvm.load %from {alignment = 4 : i64} : !llvm.ptr -> i16
    %b = llvm.load %next {alignment = 4 : i64} : !llvm.ptr -> i16
    %x = arith.addi %a, %b : i16
    %to = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i16
    llvm.store %x, %to {alignment = 2 : i64} : i16, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Four neighbours of a thread stay elements.
// CHECK-LABEL: func.func @four
// CHECK-COUNT-4: llvm.load {{.*}} -> f16
// CHECK-NOT: -> i32
func.func @four(%n: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  scf.forall (%t) in (%n) {
    %i = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %second = llvm.getelementptr %from[2] : (!llvm.ptr) -> !llvm.ptr, i8
    %third = llvm.getelementptr %from[4] : (!llvm.ptr) -> !llvm.ptr, i8
    %fourth = llvm.getelementptr %from[6] : (!llvm.ptr) -> !llvm.ptr, i8
    %a = llvm.load %from {alignment = 8 : i64} : !llvm.ptr -> f16
    %b = llvm.load %second {alignment = 2 : i64} : !llvm.ptr -> f16
    %c = llvm.load %third {alignment = 4 : i64} : !llvm.ptr -> f16
    %d = llvm.load %fourth {alignment = 2 : i64} : !llvm.ptr -> f16
    %x = arith.addf %a, %b : f16
    %y = arith.addf %c, %d : f16
    %z = arith.addf %x, %y : f16
    %to = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %z, %to : f16, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
