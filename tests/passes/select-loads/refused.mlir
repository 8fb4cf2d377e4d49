// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unwarp_opt --select-loads %s | FileCheck %s

// Nothing is known of what lies behind the pointers %p and %q: not all threads may read both.
// CHECK-LABEL: func.func @global
// CHECK: arith.select {{.*}} : !llvm.ptr
// CHECK: llvm.load
// CHECK-NOT: llvm.load
// One is loaded from before in any case, but the other is not.
// CHECK-LABEL: func.func @one_is_known
// CHECK: arith.select {{.*}} : !llvm.ptr
// Both are: each may be read by all.
// CHECK-LABEL: func.func @both_are_known
// CHECK-NOT: arith.select {{.*}} : !llvm.ptr
// CHECK: arith.select {{.*}} : f32
// The condition is the same along a row: one address for a register.
// CHECK-LABEL: func.func @uniform
// CHECK: arith.select {{.*}} : !llvm.ptr
// A store that goes down a column would keep LLVM from vectors.
// CHECK-LABEL: func.func @scattered
// CHECK: arith.select {{.*}} : !llvm.ptr
// Rows of four threads are half a register.
// CHECK-LABEL: func.func @short_row
// CHECK: arith.select {{.*}} : !llvm.ptr
module attributes {unwarp.register_bytes = 32 : i64} {
func.func @global(%n: index, %p: !llvm.ptr, %q: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%x) in (%n) {
    %i = arith.index_cast %x : index to i64
    %first = arith.cmpi eq, %x, %c0 : index
    %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %b = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %c = arith.select %first, %a, %b : !llvm.ptr
    %v = llvm.load %c {alignment = 4 : i64} : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %to {alignment = 4 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @one_is_known(%n: index, %p: !llvm.ptr, %q: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%x) in (%n) {
    %i = arith.index_cast %x : index to i64
    %first = arith.cmpi eq, %x, %c0 : index
    %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %b = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %u = llvm.load %a {alignment = 4 : i64} : !llvm.ptr -> f32
    %c = arith.select %first, %a, %b : !llvm.ptr
    %v = llvm.load %c {alignment = 4 : i64} : !llvm.ptr -> f32
    %w = arith.addf %u, %v : f32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %w, %to {alignment = 4 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @both_are_known(%n: index, %p: !llvm.ptr, %q: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%x) in (%n) {
    %i = arith.index_cast %x : index to i64
    %first = arith.cmpi eq, %x, %c0 : index
    %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %b = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %u = llvm.load %a {alignment = 4 : i64} : !llvm.ptr -> f32
    %t = llvm.load %b {alignment = 4 : i64} : !llvm.ptr -> f32
    %c = arith.select %first, %a, %b : !llvm.ptr
    %v = llvm.load %c {alignment = 4 : i64} : !llvm.ptr -> f32
    %s = arith.mulf %u, %t : f32
    %w = arith.addf %s, %v : f32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %w, %to {alignment = 4 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @uniform(%n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %bytes = arith.constant 1024 : i64
  %p = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "t"} : (i64) -> !llvm.ptr
  %q = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "t"} : (i64) -> !llvm.ptr
  scf.forall (%y, %x) in (%c16, %c16) {
    %i = arith.index_cast %x : index to i64
    %top = arith.cmpi eq, %y, %c0 : index
    %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %b = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %c = arith.select %top, %a, %b : !llvm.ptr
    %v = llvm.load %c {alignment = 4 : i64} : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %to {alignment = 4 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}
func.func @scattered(%n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %bytes = arith.constant 1024 : i64
  %p = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "t"} : (i64) -> !llvm.ptr
  %q = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "t"} : (i64) -> !llvm.ptr
  scf.forall (%x) in (%c16) {
    %i = arith.index_cast %x : index to i64
    %first = arith.cmpi eq, %x, %c0 : index
    %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %b = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %c = arith.select %first, %a, %b : !llvm.ptr
    %v = llvm.load %c {alignment = 4 : i64} : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<16 x f32>
    llvm.store %v, %to {alignment = 4 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @short_row(%n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %bytes = arith.constant 1024 : i64
  %p = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "t"} : (i64) -> !llvm.ptr
  %q = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "t"} : (i64) -> !llvm.ptr
  scf.forall (%x) in (%c4) {
    %i = arith.index_cast %x : index to i64
    %first = arith.cmpi eq, %x, %c0 : index
    %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %b = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %c = arith.select %first, %a, %b : !llvm.ptr
    %v = llvm.load %c {alignment = 4 : i64} : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %to {alignment = 4 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
