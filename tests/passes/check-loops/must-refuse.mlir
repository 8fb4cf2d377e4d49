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
