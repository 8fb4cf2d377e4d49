// RUN: %unwarp_opt --check-rows %s | FileCheck %s

// A division by max(n, 1) cannot fail, and may be computed for all threads of a row; one by n may not.

// CHECK-LABEL: func.func @by_one_at_least
// CHECK: llvm.call @__unwarp_check_row_store4
// CHECK-LABEL: func.func @by_any
// CHECK-NOT: __unwarp_check_row_store4
llvm.func @__unwarp_check_store4(!llvm.ptr, !llvm.ptr, i32, i32, i64)
func.func @by_one_at_least(%state: !llvm.ptr, %a: !llvm.ptr, %nx: index, %n: i32, %site: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bits = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  scf.forall (%z, %y, %x) in (%c1, %c1, %nx) {
    %thread = arith.index_castui %x : index to i32
    %most = arith.maxsi %n, %one : i32
    %quotient = arith.divui %thread, %most : i32
    %first = arith.cmpi ult, %quotient, %one : i32
    scf.if %first {
      %p = llvm.getelementptr %a[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.call @__unwarp_check_store4(%state, %p, %site, %thread, %bits) : (!llvm.ptr, !llvm.ptr, i32, i32, i64) -> ()
      llvm.store %one, %p : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
func.func @by_any(%state: !llvm.ptr, %a: !llvm.ptr, %nx: index, %n: i32, %site: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bits = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  scf.forall (%z, %y, %x) in (%c1, %c1, %nx) {
    %thread = arith.index_castui %x : index to i32
    %quotient = arith.divui %thread, %n : i32
    %first = arith.cmpi ult, %quotient, %one : i32
    scf.if %first {
      %p = llvm.getelementptr %a[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.call @__unwarp_check_store4(%state, %p, %site, %thread, %bits) : (!llvm.ptr, !llvm.ptr, i32, i32, i64) -> ()
      llvm.store %one, %p : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
