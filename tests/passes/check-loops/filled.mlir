// RUN: %unwarp_opt --check-loops %s | FileCheck %s

// Loads of a shared array that is only read: how much of it the block has written is asked once, and all iterations have to lie in that.

// CHECK-LABEL: func.func @filled
// CHECK: %[[FILLED:.*]] = llvm.call @uwrt_check_filled(%{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr) -> i64
// CHECK-NOT: uwrt_check_filled
// CHECK: arith.subi %[[FILLED]],
// CHECK: scf.if
// CHECK: scf.for %
// CHECK-NOT: __unwarp_check
// CHECK: } else {
// CHECK: scf.for %
// CHECK: llvm.call @__unwarp_check_filled4(
// CHECK: llvm.call @__unwarp_check_filled4(
llvm.func @uwrt_check_filled(!llvm.ptr, !llvm.ptr) -> i64
llvm.func @__unwarp_check_filled4(!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32)
func.func @filled(%state: !llvm.ptr, %s: !llvm.ptr, %n: i64, %site: i32, %thread: i32) -> f32 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%x = %zero) -> (f32) : i64 {
    %p = llvm.getelementptr inbounds %s[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.call @__unwarp_check_filled4(%state, %p, %s, %site, %thread) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32) -> ()
    %v = llvm.load %p : !llvm.ptr -> f32
    %q = llvm.getelementptr inbounds %p[1] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.call @__unwarp_check_filled4(%state, %q, %s, %site, %thread) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32) -> ()
    %w = llvm.load %q : !llvm.ptr -> f32
    %y = arith.addf %v, %w : f32
    %z = arith.addf %x, %y : f32
    scf.yield %z : f32
  }
  return %sum : f32
}
