// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A for around a barrier that threads enter at different values, leave at different ones, or step through differently becomes a while that
// runs while one of them is active. One that all step through alike stays.
// RUN: %unwarp_opt --mask %s | FileCheck %s

// CHECK-LABEL: func.func @own_start
// CHECK-NOT: scf.for %
// CHECK: unwarp.reduce
// CHECK-LABEL: func.func @own_end
// CHECK-NOT: scf.for %
// CHECK: unwarp.reduce
// CHECK-LABEL: func.func @own_step
// CHECK-NOT: scf.for %
// CHECK: unwarp.reduce
// CHECK-LABEL: func.func @same
// CHECK: scf.for %
// CHECK-NOT: unwarp.reduce
func.func @own_start(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    scf.for %k = %i to %m step %c1 {
      "unwarp.barrier"() {level = "block"} : () -> ()
      func.call @use(%k) : (index) -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @own_end(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    scf.for %k = %c0 to %i step %c1 {
      "unwarp.barrier"() {level = "block"} : () -> ()
      func.call @use(%k) : (index) -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @own_step(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    %step = arith.addi %i, %c1 : index
    scf.for %k = %c0 to %m step %step {
      "unwarp.barrier"() {level = "block"} : () -> ()
      func.call @use(%k) : (index) -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @same(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    scf.for %k = %n to %m step %n {
      "unwarp.barrier"() {level = "block"} : () -> ()
      func.call @use(%k) : (index) -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @use(index)
