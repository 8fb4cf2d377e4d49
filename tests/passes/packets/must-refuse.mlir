// RUN: %unwarp_opt --packets %s | FileCheck %s

// A loop of each thread's own length, loads far apart, a loop that stores, and a block of few threads stay as they are.
// CHECK-NOT: lane

func.func @own_length(%threads: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.5 : f32
  scf.parallel (%t) = (%c0) to (%threads) step (%c1) {
    %sum = scf.for %k = %c0 to %t step %c1 iter_args(%s = %x) -> (f32) {
      %next = arith.mulf %s, %x : f32
      scf.yield %next : f32
    }
    llvm.store %sum, %p : f32, !llvm.ptr
    scf.reduce
  } {unwarp.level = "block"}
  return
}

func.func @far_apart(%threads: index, %n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.5 : f32
  scf.parallel (%t) = (%c0) to (%threads) step (%c1) {
    %row = arith.muli %t, %n : index
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %i = arith.addi %row, %k : index
      %ii = arith.index_cast %i : index to i64
      %at = llvm.getelementptr %p[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %at : !llvm.ptr -> f32
      %next = arith.addf %s, %y : f32
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
      %next = arith.mulf %s, %x : f32
      llvm.store %next, %p : f32, !llvm.ptr
      scf.yield %next : f32
    }
    scf.reduce
  } {unwarp.level = "block"}
  return
}

func.func @few_threads(%n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = arith.constant 1.5 : f32
  scf.parallel (%t) = (%c0) to (%c8) step (%c1) {
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %next = arith.mulf %s, %x : f32
      scf.yield %next : f32
    }
    llvm.store %sum, %p : f32, !llvm.ptr
    scf.reduce
  } {unwarp.level = "block"}
  return
}
