// RUN: %unwarp_opt --check-loops %s | FileCheck %s
// RUN: %unwarp_opt --check-loops --check-loops %s | FileCheck %s

// Whether all iterations stay inside is asked before the loop: one version without checks, and one as it was. Twice is once.

// CHECK-LABEL: func.func @line
// CHECK-DAG: llvm.ptrtoint
// CHECK: %[[ALL:.*]] = scf.if %{{.*}} -> (f32) {
// CHECK: scf.for %
// CHECK-NOT: __unwarp_check
// CHECK: } else {
// CHECK: scf.for %
// CHECK: llvm.call @__unwarp_check_read4(
// CHECK: llvm.call @__unwarp_check_object(
// CHECK: llvm.call @__unwarp_check_store4(
// CHECK-NOT: scf.for %
// CHECK: return %[[ALL]]

// What keeps something in mind stays in both, and the sum of 32 bits has to lie on a line, too.
// CHECK-LABEL: func.func @wraps
// CHECK: arith.extui
// CHECK: arith.extui
// CHECK: arith.extui
// CHECK: arith.muli
// CHECK: scf.if
// CHECK: scf.for %
// CHECK-NOT: __unwarp_check_read4
// CHECK: llvm.call @__unwarp_check_load4(
// CHECK: } else {
llvm.func @__unwarp_check_object(!llvm.ptr, !llvm.ptr, i64, !llvm.ptr, i64, i32, i32)
llvm.func @__unwarp_check_read4(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i32, i32)
llvm.func @__unwarp_check_load4(!llvm.ptr, !llvm.ptr, i32, i32, i64)
llvm.func @__unwarp_check_store4(!llvm.ptr, !llvm.ptr, i32, i32, i64)
func.func @line(%state: !llvm.ptr, %a: !llvm.ptr, %bytes: i64, %s: !llvm.ptr, %n: i64, %site: i32, %thread: i32) -> f32 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c16 = arith.constant 16 : i64
  %size = arith.constant 4096 : i64
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%x = %zero) -> (f32) : i64 {
    %p = llvm.getelementptr inbounds %a[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.call @__unwarp_check_read4(%state, %p, %a, %bytes, %site, %thread) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i32, i32) -> ()
    %v = llvm.load %p : !llvm.ptr -> f32
    %row = arith.muli %k, %c16 : i64
    %q = llvm.getelementptr inbounds %s[%row] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.call @__unwarp_check_object(%state, %q, %c4, %s, %size, %site, %thread) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr, i64, i32, i32) -> ()
    %w = llvm.load %q : !llvm.ptr -> f32
    %y = arith.addf %v, %w : f32
    %z = arith.addf %x, %y : f32
    scf.yield %z : f32
  }
  llvm.call @__unwarp_check_store4(%state, %a, %site, %thread, %c0) : (!llvm.ptr, !llvm.ptr, i32, i32, i64) -> ()
  return %sum : f32
}
func.func @wraps(%state: !llvm.ptr, %a: !llvm.ptr, %bytes: i64, %n: i32, %from: i32, %site: i32, %thread: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant 0 : i64
  scf.for %k = %c0 to %n step %c1 : i32 {
    %i = arith.addi %from, %k : i32
    %j = arith.extui %i : i32 to i64
    %p = llvm.getelementptr inbounds %a[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.call @__unwarp_check_read4(%state, %p, %a, %bytes, %site, %thread) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i32, i32) -> ()
    llvm.call @__unwarp_check_load4(%state, %p, %site, %thread, %none) : (!llvm.ptr, !llvm.ptr, i32, i32, i64) -> ()
  }
  return
}

// A while that counts: it has to go up and not to wrap around.
// CHECK-LABEL: func.func @counting_while
// CHECK: arith.cmpi sgt
// CHECK: arith.cmpi sle
// CHECK: arith.ori
// CHECK: scf.if
// CHECK: scf.while
// CHECK-NOT: __unwarp_check
// CHECK: } else {
// CHECK: scf.while
// CHECK: llvm.call @__unwarp_check_read4(
func.func @counting_while(%state: !llvm.ptr, %a: !llvm.ptr, %bytes: i64, %n: i32, %from: i32, %step: i32, %site: i32, %thread: i32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %all:2 = scf.while (%sum = %zero, %i = %from) : (f32, i32) -> (f32, i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %sum, %i : f32, i32
  } do {
  ^bb0(%sum: f32, %i: i32):
    %j = arith.extsi %i : i32 to i64
    %p = llvm.getelementptr inbounds %a[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.call @__unwarp_check_read4(%state, %p, %a, %bytes, %site, %thread) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i32, i32) -> ()
    %v = llvm.load %p : !llvm.ptr -> f32
    %next = arith.addf %sum, %v : f32
    %k = arith.addi %i, %step : i32
    scf.yield %next, %k : f32, i32
  }
  return %all#0 : f32
}
