// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that wait for each other in a loop of their own are set apart from others: later passes do not know their level. Where lanes go
// through the iterations together, their warps wait for each other: the loop over warps is marked, and so is one around lanes that wait.
// RUN: %unwarp_opt --lower-barriers %s | FileCheck %s
llvm.func @uwrt_yield(!llvm.ptr)
func.func private @more(index) -> i1
func.func private @put(index)

// CHECK-LABEL: func.func @threads
// CHECK:         scf.forall
// CHECK:           call @uwrt_yield
// CHECK:         } {mapping = [#gpu.thread<x>], unwarp.concurrent}
func.func @threads(%place: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%x) in (%n) {
    scf.while : () -> () {
      %again = func.call @more(%x) : (index) -> i1
      scf.condition(%again)
    } do {
      llvm.call @uwrt_yield(%place) : (!llvm.ptr) -> ()
      scf.yield
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @lanes
// CHECK:         scf.forall
// CHECK:           scf.forall
// CHECK:             call @uwrt_yield
// CHECK:           } {mapping = [#gpu.lane<x>], unwarp.concurrent}
// CHECK:           scf.forall
// CHECK:             call @put
// CHECK:           } {mapping = [#gpu.lane<x>]}
// CHECK:         } {mapping = [#gpu.warp<x>], unwarp.concurrent}
func.func @lanes(%place: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%x) in (%n) {
    scf.while : () -> () {
      %again = func.call @more(%x) : (index) -> i1
      scf.condition(%again)
    } do {
      llvm.call @uwrt_yield(%place) : (!llvm.ptr) -> ()
      scf.yield
    }
    "unwarp.barrier"() {level = "warp"} : () -> ()
    func.call @put(%x) : (index) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @iterations
// CHECK:         scf.forall
// CHECK:           scf.while
// CHECK:             scf.forall
// CHECK:               call @uwrt_yield
// CHECK:             } {mapping = [#gpu.lane<x>]}
// CHECK:         } {mapping = [#gpu.warp<x>], unwarp.concurrent}
func.func @iterations(%place: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%x) in (%n) {
    scf.while : () -> () {
      %again = func.call @more(%x) : (index) -> i1
      scf.condition(%again)
    } do {
      llvm.call @uwrt_yield(%place) : (!llvm.ptr) -> ()
      "unwarp.barrier"() {level = "warp"} : () -> ()
      func.call @put(%x) : (index) -> ()
      scf.yield
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
