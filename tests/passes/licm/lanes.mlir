// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Over the lanes of a warp alone: what is the same for them is loaded once a warp. Loops over threads are for the row without the option.
// RUN: %unwarp_opt --licm{scope=lanes} %s | FileCheck %s
// RUN: %unwarp_opt --licm %s | FileCheck %s --check-prefix=THREADS

// CHECK-LABEL: func.func @lanes
// CHECK: llvm.load
// CHECK: scf.forall
// CHECK-NOT: llvm.load
// CHECK-LABEL: func.func @threads
// CHECK: scf.forall
// CHECK: llvm.load

// THREADS-LABEL: func.func @lanes
// THREADS: scf.forall
// THREADS: llvm.load
// THREADS-LABEL: func.func @threads
// THREADS: llvm.load
// THREADS: scf.forall
func.func @lanes(%p: !llvm.ptr, %q: !llvm.ptr) {
  %lanes = arith.constant 32 : index
  scf.forall (%t) in (%lanes) {
    %x = llvm.load %p : !llvm.ptr -> f32
    func.call @put(%x, %t) : (f32, index) -> ()
  } {mapping = [#gpu.lane<x>]}
  return
}
func.func @threads(%p: !llvm.ptr, %q: !llvm.ptr) {
  %threads = arith.constant 256 : index
  scf.forall (%t) in (%threads) {
    %x = llvm.load %p : !llvm.ptr -> f32
    func.call @put(%x, %t) : (f32, index) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @put(f32, index)
