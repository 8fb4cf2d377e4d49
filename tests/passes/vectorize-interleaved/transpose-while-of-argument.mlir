// RUN: %unwarp_opt --vectorize-interleaved %s | FileCheck %s

// A while may test what the iteration before has handed on, which no operation makes.
// CHECK: scf.condition(%{{.*}}) %{{.*}} : i32
func.func @again(%first: i1, %p: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.while (%more = %first, %k = %zero) : (i1, i32) -> i32 {
    scf.condition(%more) %k : i32
  } do {
  ^bb0(%k2: i32):
    %v = llvm.load %p : !llvm.ptr -> i32
    %next = arith.addi %k2, %one : i32
    %go = arith.cmpi slt, %v, %next : i32
    scf.yield %go, %next : i1, i32
  }
  llvm.store %r, %p : i32, !llvm.ptr
  return
}
