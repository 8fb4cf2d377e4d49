// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where little is known: what an address depends on changes from step to step, or sums wrap around.
// RUN: %unwarp_opt --print-analysis=dependence %s | FileCheck %s

// The address is loaded: any two threads may meet. What the array itself holds is not written.
// CHECK-LABEL: dependence in @scatter
// CHECK: 1 and 1: may meet at %{{.*}} -63 to 63{{$}}
func.func @scatter(%p: !llvm.ptr, %q: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.forall (%t) in (%c64) {
    %x = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %q[%x] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %i = llvm.load %a : !llvm.ptr -> i64
    %b = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %b : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// A pointer that a loop carries is no index: the step says nothing of it.
// CHECK-LABEL: dependence in @carried
// CHECK: 0 and 0: may meet at %{{.*}} -7 to 7{{$}}
// CHECK: 1 and 1: may meet at %{{.*}} -7 to 7{{$}}
func.func @carried(%p: !llvm.ptr, %n: i64, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%at = %p) -> (!llvm.ptr) {
    llvm.store %v, %at : f32, !llvm.ptr
    %next = llvm.getelementptr %at[%n] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    scf.yield %next : !llvm.ptr
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %done = scf.while (%at = %n) : (i64) -> i64 {
      %a = llvm.getelementptr %p[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %a : f32, !llvm.ptr
      %more = arith.cmpi slt, %at, %n : i64
      scf.condition(%more) %at : i64
    } do {
    ^bb0(%at: i64):
      %next = arith.addi %at, %n : i64
      scf.yield %next : i64
    }
    scf.yield
  }
  return
}

// A sum of 32 bits of an unknown number of iterations may come back to the same address.
// CHECK-LABEL: dependence in @wraps
// CHECK: 0 and 0: may meet at %{{.*}} any{{$}}
func.func @wraps(%p: !llvm.ptr, %n: index, %m: i32, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i32
    %sum = arith.addi %k, %m : i32
    %wide = arith.extsi %sum : i32 to i64
    %a = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %a : f32, !llvm.ptr
    scf.yield
  }
  return
}

// Private memory is each thread's own. Elsewhere two arguments may be one array.
// CHECK-LABEL: dependence in @own
// CHECK: 0 and 0: meet at %{{.*}} 0, in the same step
// CHECK: 0 and 1: never
// CHECK: 1 and 1: may meet at %{{.*}} -63 to 63{{$}}
// CHECK: 1 and 2: may meet at %{{.*}} -63 to 63{{$}}
func.func @own(%p: !llvm.ptr, %q: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%c64) {
    %m = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
    llvm.store %v, %m : f32, !llvm.ptr
    llvm.store %v, %p : f32, !llvm.ptr
    %w = llvm.load %q : !llvm.ptr -> f32
  } {mapping = [#gpu.thread<x>]}
  return
}
