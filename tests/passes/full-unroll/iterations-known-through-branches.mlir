// RUN: %unwarp_opt --full-unroll --simplify{after=if-convert} %s | FileCheck %s

// A loop that is left from its middle: whether it goes on comes through a branch whose condition is known.
// CHECK-LABEL: func.func @steps
// CHECK-NOT: scf.while
// CHECK-COUNT-2: unwarp.barrier
// CHECK-NOT: unwarp.barrier
func.func @steps(%p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %zero = arith.constant 0 : i32
  scf.forall (%t) in (%c16) {
    %last = scf.while (%step = %one) : (i32) -> i32 {
      "unwarp.barrier"() {level = "block"} : () -> ()
      %more = arith.cmpi ne, %step, %two : i32
      %r:2 = scf.if %more -> (i32, i32) {
        llvm.store %v, %p : f32, !llvm.ptr
        %next = arith.addi %step, %one : i32
        scf.yield %next, %one : i32, i32
      } else {
        scf.yield %zero, %zero : i32, i32
      }
      %on = arith.trunci %r#1 : i32 to i1
      scf.condition(%on) %r#0 : i32
    } do {
    ^bb0(%step: i32):
      scf.yield %step : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
