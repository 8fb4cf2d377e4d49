// RUN: %unwarp_opt --check %s | FileCheck %s

// A module that nobody wants checked stays as it is.

// CHECK-NOT: uwrt_check
// CHECK: llvm.load
// CHECK-NOT: uwrt_check
llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr
func.func @entry(%dims: !llvm.ptr, %args: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%block) in (%c1) {
    %number = arith.index_cast %block : index to i64
    %enter = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %c1) {
      %v = llvm.load %args : !llvm.ptr -> i32
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
