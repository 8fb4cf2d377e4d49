// RUN: %unwarp_opt --check-rows %s | FileCheck %s

// Conditions within conditions around all there is are no rim; accesses of some of the threads that have accesses are.

// CHECK-LABEL: func.func @inside
// CHECK: llvm.call @__unwarp_check_row_store4
// CHECK-LABEL: func.func @rim
// CHECK-NOT: __unwarp_check_row_store4
llvm.func @__unwarp_check_store4(!llvm.ptr, !llvm.ptr, i32, i32, i64)
func.func @inside(%state: !llvm.ptr, %a: !llvm.ptr, %nx: index, %end: i32, %site: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bits = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  scf.forall (%z, %y, %x) in (%c1, %c1, %nx) {
    %thread = arith.index_castui %x : index to i32
    %first = arith.cmpi slt, %thread, %one : i32
    scf.if %first {
    } else {
      %below = arith.cmpi slt, %thread, %end : i32
      scf.if %below {
        %p = llvm.getelementptr %a[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        llvm.call @__unwarp_check_store4(%state, %p, %site, %thread, %bits) : (!llvm.ptr, !llvm.ptr, i32, i32, i64) -> ()
        llvm.store %one, %p : i32, !llvm.ptr
      }
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
func.func @rim(%state: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr, %nx: index, %end: i32, %site: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bits = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  scf.forall (%z, %y, %x) in (%c1, %c1, %nx) {
    %thread = arith.index_castui %x : index to i32
    %below = arith.cmpi slt, %thread, %end : i32
    scf.if %below {
      %p = llvm.getelementptr %a[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.call @__unwarp_check_store4(%state, %p, %site, %thread, %bits) : (!llvm.ptr, !llvm.ptr, i32, i32, i64) -> ()
      llvm.store %one, %p : i32, !llvm.ptr
      %first = arith.cmpi slt, %thread, %one : i32
      scf.if %first {
        %q = llvm.getelementptr %b[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        llvm.call @__unwarp_check_store4(%state, %q, %site, %thread, %bits) : (!llvm.ptr, !llvm.ptr, i32, i32, i64) -> ()
        llvm.store %one, %q : i32, !llvm.ptr
        %r = llvm.getelementptr %b[1] : (!llvm.ptr) -> !llvm.ptr, i32
        llvm.call @__unwarp_check_store4(%state, %r, %site, %thread, %bits) : (!llvm.ptr, !llvm.ptr, i32, i32, i64) -> ()
        llvm.store %one, %r : i32, !llvm.ptr
      }
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
