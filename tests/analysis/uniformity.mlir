// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread loads from its private array is the same for all threads where all that reaches the load is.
// RUN: %unwarp_opt --print-analysis=uniformity %s | FileCheck %s

// Stores of uniform values to uniform positions under uniform control, in loops and branches too; also where it was otherwise before.
// CHECK-LABEL: thread loop in @same
// CHECK:       llvm.load: uniform: from a private array: all that reaches it is
// CHECK-NOT:   {{divergent|unknown}}
// CHECK:       llvm.load: uniform: from a private array: all that reaches it is
// CHECK-NOT:   llvm.load: {{divergent|unknown}}
func.func @same(%n: index, %a: f32, %c: i1, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%n) {
    %m = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
    %own = arith.index_cast %t : index to i32
    llvm.store %own, %m : i32, !llvm.ptr
    llvm.store %a, %m : f32, !llvm.ptr
    scf.for %k = %c0 to %n step %c1 {
      %k64 = arith.index_cast %k : index to i64
      %p = llvm.getelementptr %m[%k64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %old = llvm.load %m : !llvm.ptr -> f32
      %next = arith.addf %old, %a : f32
      llvm.store %next, %p : f32, !llvm.ptr
    }
    scf.if %c {
      llvm.store %a, %m : f32, !llvm.ptr
    }
    %x = llvm.load %m : !llvm.ptr -> f32
  } {mapping = [#gpu.thread<x>]}
  return
}

// A value that depends on the thread, a position that does, a branch that does, a loop whose iterations do; a value that comes round a loop.
// CHECK-LABEL: thread loop in @values
// CHECK:       llvm.load: divergent: from a private array, where threads store different values
// CHECK:       llvm.load: divergent: from a private array, where threads store at different positions
// CHECK:       llvm.load: divergent: from a private array, stored under control flow that is not uniform
// CHECK:       llvm.load: divergent: from a private array, stored under control flow that is not uniform
// CHECK:       llvm.load: divergent: from a private array, where threads store different values
// CHECK:       llvm.load: divergent: at different positions of a private array
func.func @values(%n: index, %a: f32, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%n) {
    %t64 = arith.index_cast %t : index to i64
    %first = arith.cmpi eq, %t, %c0 : index
    %m1 = llvm.alloca %one x !llvm.array<4 x i64> : (i32) -> !llvm.ptr
    llvm.store %t64, %m1 : i64, !llvm.ptr
    %x1 = llvm.load %m1 : !llvm.ptr -> i64
    %m2 = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
    %p2 = llvm.getelementptr %m2[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %a, %p2 : f32, !llvm.ptr
    %x2 = llvm.load %m2 : !llvm.ptr -> f32
    %m3 = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
    scf.if %first {
      llvm.store %a, %m3 : f32, !llvm.ptr
    }
    %x3 = llvm.load %m3 : !llvm.ptr -> f32
    %m4 = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
    scf.for %k = %c0 to %t step %c1 {
      llvm.store %a, %m4 : f32, !llvm.ptr
    }
    %x4 = llvm.load %m4 : !llvm.ptr -> f32
    %m5 = llvm.alloca %one x i64 : (i32) -> !llvm.ptr
    %zero = arith.constant 0 : i64
    llvm.store %zero, %m5 : i64, !llvm.ptr
    scf.for %k = %c0 to %n step %c1 {
      %x5 = llvm.load %m5 : !llvm.ptr -> i64
      %next = arith.addi %x5, %t64 : i64
      llvm.store %next, %m5 : i64, !llvm.ptr
    }
    %m6 = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
    %p6 = llvm.getelementptr %m6[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %a, %m6 : f32, !llvm.ptr
    %x6 = llvm.load %p6 : !llvm.ptr -> f32
  } {mapping = [#gpu.thread<x>]}
  return
}

// The address goes to a call, into memory, is one of two; an atomic, a volatile store, a copy; made by some threads only.
// CHECK-LABEL: thread loop in @unknown
// CHECK:       llvm.load: unknown: from a private array whose address goes elsewhere
// CHECK:       llvm.load: unknown: from a private array whose address goes elsewhere
// CHECK:       llvm.load: unknown: from a private array whose address goes elsewhere
// CHECK:       llvm.load: unknown: from a private array whose address goes elsewhere
// CHECK:       llvm.load: unknown: from a private array whose address goes elsewhere
// CHECK:       llvm.load: unknown: from a private array that is copied or set as a whole
// CHECK:       llvm.load: unknown: a volatile or atomic load
// CHECK:       llvm.load: divergent: made by some threads only
func.func @unknown(%n: index, %a: f32, %c: i1, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %bytes = arith.constant 4 : i64
  scf.forall (%t) in (%n) {
    %first = arith.cmpi eq, %t, %c0 : index
    %m1 = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
    llvm.store %a, %m1 : f32, !llvm.ptr
    llvm.call @takes(%m1) : (!llvm.ptr) -> ()
    %x1 = llvm.load %m1 : !llvm.ptr -> f32
    %m2 = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
    llvm.store %m2, %in : !llvm.ptr, !llvm.ptr
    llvm.store %a, %m2 : f32, !llvm.ptr
    %x2 = llvm.load %m2 : !llvm.ptr -> f32
    %m3 = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
    %either = arith.select %c, %m3, %in : !llvm.ptr
    llvm.store %a, %m3 : f32, !llvm.ptr
    %x3 = llvm.load %m3 : !llvm.ptr -> f32
    %m4 = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
    %old = llvm.atomicrmw fadd %m4, %a monotonic : !llvm.ptr, f32
    %x4 = llvm.load %m4 : !llvm.ptr -> f32
    %m5 = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
    llvm.store volatile %a, %m5 : f32, !llvm.ptr
    %x5 = llvm.load %m5 : !llvm.ptr -> f32
    %m6 = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
    "llvm.intr.memcpy"(%m6, %in, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
    %x6 = llvm.load %m6 : !llvm.ptr -> f32
    %x7 = llvm.load volatile %in : !llvm.ptr -> f32
    scf.if %first {
      %x8 = llvm.load %in : !llvm.ptr -> f32
      llvm.store %x8, %in : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
llvm.func @takes(!llvm.ptr)

// One location of the block holds one value for all, whoever wrote it, once a barrier stands between; what the thread has just stored there
// itself is another matter.
// CHECK-LABEL: thread loop in @shared
// CHECK:       llvm.load: divergent: what the thread itself has just stored there
// CHECK:       llvm.load: uniform{{$}}
func.func @shared(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = arith.constant 4 : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%n) {
    %own = arith.index_cast %t : index to i32
    llvm.store %own, %s : i32, !llvm.ptr
    %x = llvm.load %s : !llvm.ptr -> i32
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %s : !llvm.ptr -> i32
  } {mapping = [#gpu.thread<x>]}
  return
}

// A function that computes gives all the same for the same; one that reads memory is not looked into, nor is what it calls.
// CHECK-LABEL: thread loop in @calls
// CHECK:       llvm.call: uniform{{$}}
// CHECK:       llvm.call: divergent{{$}}
// CHECK:       llvm.call: unknown: not looked into
// CHECK:       llvm.call: unknown: not looked into
func.func @calls(%n: index, %a: i32, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    %own = arith.index_cast %t : index to i32
    %x = llvm.call @computes(%a) : (i32) -> i32
    %y = llvm.call @computes(%own) : (i32) -> i32
    %z = llvm.call @reads(%in) : (!llvm.ptr) -> i32
    %w = llvm.call @elsewhere(%a) : (i32) -> i32
  } {mapping = [#gpu.thread<x>]}
  return
}
llvm.func @computes(%x: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %end = llvm.icmp "sle" %x, %zero : i32
  llvm.cond_br %end, ^done(%zero : i32), ^more
^more:
  %less = llvm.sub %x, %one : i32
  %rest = llvm.call @computes(%less) : (i32) -> i32
  %sum = llvm.add %rest, %x : i32
  llvm.br ^done(%sum : i32)
^done(%result: i32):
  llvm.return %result : i32
}
llvm.func @reads(%p: !llvm.ptr) -> i32 {
  %x = llvm.load %p : !llvm.ptr -> i32
  llvm.return %x : i32
}
llvm.func @elsewhere(i32) -> i32
