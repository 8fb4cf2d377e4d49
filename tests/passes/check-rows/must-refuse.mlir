// RUN: %unwarp_opt --check-rows %s | FileCheck %s

// Where an address comes out of memory, where a loop's iterations keep their checks, where an access may meet others, and where anything else may
// happen, all threads keep their checks.

// CHECK-NOT: __unwarp_check_row
// CHECK-NOT: unwarp.checks_answered
llvm.func @__unwarp_check_store4(!llvm.ptr, !llvm.ptr, i32, i32, i64)
llvm.func @uwrt_check_access(!llvm.ptr, !llvm.ptr, i64, i32, i32, i32, i64)
llvm.func @any()
func.func @from_memory(%state: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr, %nx: index, %site: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bits = arith.constant 1 : i64
  scf.forall (%z, %y, %x) in (%c1, %c1, %nx) {
    %thread = arith.index_castui %x : index to i32
    %i = llvm.load %b : !llvm.ptr -> i64
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.call @__unwarp_check_store4(%state, %p, %site, %thread, %bits) : (!llvm.ptr, !llvm.ptr, i32, i32, i64) -> ()
    llvm.store %bits, %p : i64, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
func.func @in_loop(%state: !llvm.ptr, %a: !llvm.ptr, %nx: index, %site: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bits = arith.constant 1 : i64
  scf.forall (%z, %y, %x) in (%c1, %c1, %nx) {
    %thread = arith.index_castui %x : index to i32
    scf.for %k = %c0 to %nx step %c1 {
      llvm.call @__unwarp_check_store4(%state, %a, %site, %thread, %bits) : (!llvm.ptr, !llvm.ptr, i32, i32, i64) -> ()
      llvm.store %bits, %a : i64, !llvm.ptr
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
func.func @other_access(%state: !llvm.ptr, %a: !llvm.ptr, %nx: index, %site: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bits = arith.constant 1 : i64
  %kind = arith.constant 2 : i32
  scf.forall (%z, %y, %x) in (%c1, %c1, %nx) {
    %thread = arith.index_castui %x : index to i32
    llvm.call @uwrt_check_access(%state, %a, %bits, %site, %thread, %kind, %bits) : (!llvm.ptr, !llvm.ptr, i64, i32, i32, i32, i64) -> ()
    %old = llvm.atomicrmw add %a, %bits monotonic : !llvm.ptr, i64
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
func.func @call(%state: !llvm.ptr, %a: !llvm.ptr, %nx: index, %site: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bits = arith.constant 1 : i64
  scf.forall (%z, %y, %x) in (%c1, %c1, %nx) {
    %thread = arith.index_castui %x : index to i32
    llvm.call @__unwarp_check_store4(%state, %a, %site, %thread, %bits) : (!llvm.ptr, !llvm.ptr, i32, i32, i64) -> ()
    llvm.store %bits, %a : i64, !llvm.ptr
    llvm.call @any() : () -> ()
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
