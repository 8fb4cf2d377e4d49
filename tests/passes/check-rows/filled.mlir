// RUN: %unwarp_opt --check-rows %s | FileCheck %s
// RUN: %unwarp_opt --check-loops --check-rows %s | FileCheck %s --check-prefix=LOOP

// Loads of a shared array that is only read: how much of it is written is asked before all rows, and a row's line is looked at by one call. A
// loop inside asked it for each thread: so do the rows for it.

// CHECK-LABEL: func.func @row
// CHECK: %[[FILLED:.*]] = llvm.call @uwrt_check_filled(
// CHECK: scf.for %
// CHECK: llvm.call @__unwarp_check_row_filled4({{.*}}, %[[FILLED]])
// CHECK: scf.if
// CHECK: scf.forall
// CHECK-NOT: __unwarp_check
// CHECK: } else {
// CHECK: llvm.call @__unwarp_check_filled4(

// LOOP-LABEL: func.func @row
// LOOP-LABEL: func.func @loop
// LOOP: %[[FILLED:.*]] = llvm.call @uwrt_check_filled(
// LOOP-NOT: uwrt_check_filled
// LOOP: arith.subi %[[FILLED]],
// LOOP: scf.if
// LOOP: scf.forall
// LOOP-NOT: uwrt_check_filled
// LOOP: scf.for %
// LOOP: } else {
// LOOP: scf.forall
// LOOP: llvm.call @uwrt_check_filled(
// LOOP: llvm.call @__unwarp_check_filled4(
llvm.func @uwrt_check_filled(!llvm.ptr, !llvm.ptr) -> i64
llvm.func @__unwarp_check_filled4(!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32)
func.func @row(%state: !llvm.ptr, %s: !llvm.ptr, %a: !llvm.ptr, %nx: index, %site: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%z, %y, %x) in (%c1, %c1, %nx) {
    %thread = arith.index_castui %x : index to i32
    %p = llvm.getelementptr inbounds %s[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.call @__unwarp_check_filled4(%state, %p, %s, %site, %thread) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32) -> ()
    %v = llvm.load %p : !llvm.ptr -> f32
    %q = llvm.getelementptr inbounds %a[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %v, %q : f32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
func.func @loop(%state: !llvm.ptr, %s: !llvm.ptr, %a: !llvm.ptr, %nx: index, %n: i64, %site: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %first = arith.constant 0 : i64
  %step = arith.constant 1 : i64
  scf.forall (%z, %y, %x) in (%c1, %c1, %nx) {
    %thread = arith.index_castui %x : index to i32
    %sum = scf.for %k = %first to %n step %step iter_args(%before = %zero) -> (f32) : i64 {
      %p = llvm.getelementptr inbounds %s[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.call @__unwarp_check_filled4(%state, %p, %s, %site, %thread) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32) -> ()
      %v = llvm.load %p : !llvm.ptr -> f32
      %after = arith.addf %before, %v : f32
      scf.yield %after : f32
    }
    %q = llvm.getelementptr inbounds %a[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %sum, %q : f32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
