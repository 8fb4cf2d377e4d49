// RUN: %unwarp_opt --spread %s | FileCheck %s

// A loop of each thread's own length, a loop that stores, and one that computes little stay as they are.
// CHECK-NOT: unwarp.barrier

func.func @own_length(%threads: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.5 : f32
  scf.parallel (%t) = (%c0) to (%threads) step (%c1) {
    %sum = scf.for %k = %c0 to %t step %c1 iter_args(%s = %x) -> (f32) {
      %a = arith.subf %s, %x : f32
      %b = arith.mulf %a, %a : f32
      %c = arith.addf %b, %x : f32
      %d = arith.mulf %c, %a : f32
      %e = arith.mulf %d, %b : f32
      %f = arith.addf %e, %d : f32
      %g = arith.mulf %f, %x : f32
      %next = arith.addf %s, %g : f32
      scf.yield %next : f32
    }
    llvm.store %sum, %p : f32, !llvm.ptr
    scf.reduce
  } {unwarp.level = "block"}
  return
}

func.func @stores(%threads: index, %n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.5 : f32
  scf.parallel (%t) = (%c0) to (%threads) step (%c1) {
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %a = arith.subf %s, %x : f32
      %b = arith.mulf %a, %a : f32
      %c = arith.addf %b, %x : f32
      %d = arith.mulf %c, %a : f32
      %e = arith.mulf %d, %b : f32
      %f = arith.addf %e, %d : f32
      %g = arith.mulf %f, %x : f32
      %next = arith.addf %s, %g : f32
      llvm.store %g, %p : f32, !llvm.ptr
      scf.yield %next : f32
    }
    llvm.store %sum, %p : f32, !llvm.ptr
    scf.reduce
  } {unwarp.level = "block"}
  return
}

func.func @little(%threads: index, %n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.5 : f32
  scf.parallel (%t) = (%c0) to (%threads) step (%c1) {
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %next = arith.addf %s, %x : f32
      scf.yield %next : f32
    }
    llvm.store %sum, %p : f32, !llvm.ptr
    scf.reduce
  } {unwarp.level = "block"}
  return
}
