// RUN: %unwarp_opt --check-loops %s | FileCheck %s

// An address that is loaded, or a square of the counter, lies on no line; a barrier, or an inner loop, is too much.

// CHECK-NOT: scf.if
llvm.func @__unwarp_check_read4(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i32, i32)
func.func @others(%state: !llvm.ptr, %a: !llvm.ptr, %bytes: i64, %n: i64, %site: i32, %thread: i32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %k = %c0 to %n step %c1 : i64 {
    %p = llvm.getelementptr %a[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %j = llvm.load %p : !llvm.ptr -> i64
    %q = llvm.getelementptr %a[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.call @__unwarp_check_read4(%state, %q, %a, %bytes, %site, %thread) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i32, i32) -> ()
  }
  scf.for %k = %c0 to %n step %c1 : i64 {
    %j = arith.muli %k, %k : i64
    %q = llvm.getelementptr %a[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.call @__unwarp_check_read4(%state, %q, %a, %bytes, %site, %thread) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i32, i32) -> ()
  }
  scf.for %k = %c0 to %n step %c1 : i64 {
    %q = llvm.getelementptr %a[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.call @__unwarp_check_read4(%state, %q, %a, %bytes, %site, %thread) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i32, i32) -> ()
    "unwarp.barrier"() {level = "block"} : () -> ()
  }
  return
}

// A while whose steps differ from iteration to iteration.
// CHECK-LABEL: func.func @uneven_while
// CHECK-NOT: scf.if
// CHECK: return
func.func @uneven_while(%state: !llvm.ptr, %a: !llvm.ptr, %bytes: i64, %n: i32, %from: i32, %site: i32, %thread: i32) {
  %one = arith.constant 1 : i32
  %all = scf.while (%i = %from) : (i32) -> (i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %j = arith.extsi %i : i32 to i64
    %p = llvm.getelementptr inbounds %a[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.call @__unwarp_check_read4(%state, %p, %a, %bytes, %site, %thread) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i32, i32) -> ()
    %k = arith.addi %i, %i : i32
    scf.yield %k : i32
  }
  return
}
