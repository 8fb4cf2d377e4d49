// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Listing 1 of "Experiences Building an MLIR-Based SYCL Compiler": a store through one pointer, then under a condition one
// through another that may lead there. The load after it has the first as its definition and the second as a possible one.
// RUN: %unwarp_opt --print-analysis=reaching-definitions %s | FileCheck %s

// CHECK-LABEL: thread loop in @two_pointers
// CHECK:       load 2: 1? 0{{$}}
func.func @two_pointers(%n: index, %a: i32, %b: i32, %c: i1, %i: i64, %j: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%n) {
    %m = llvm.alloca %one x !llvm.array<16 x i32> : (i32) -> !llvm.ptr
    %first = llvm.getelementptr %m[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %second = llvm.getelementptr %m[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %a, %first : i32, !llvm.ptr                // 0
    scf.if %c {
      llvm.store %b, %second : i32, !llvm.ptr             // 1
    }
    %x = llvm.load %first : !llvm.ptr -> i32              // 2
  } {mapping = [#gpu.thread<x>]}
  return
}
