// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which writes reach a load: n surely, n? perhaps, n?' from an earlier iteration of a loop.
// RUN: %unwarp_opt --print-analysis=reaching-definitions %s | FileCheck %s

// A store to the same address ends the way; both sides of a branch are ways; a loop may run no iteration.
// CHECK-LABEL: thread loop in @private
// CHECK:       load 1: 0{{$}}
// CHECK:       load 4: 2 3{{$}}
// CHECK:       load 5: 6?' 2? 3? 0?{{$}}
// CHECK:       load 7: 6 2 3{{$}}
func.func @private(%n: index, %a: f32, %b: f32, %c: i1, %i: i64, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%n) {
    %m = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
    %p = llvm.getelementptr %m[4] : (!llvm.ptr) -> !llvm.ptr, i8
    %q = llvm.getelementptr %m[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %a, %p : f32, !llvm.ptr                    // 0
    %x = llvm.load %p : !llvm.ptr -> f32                  // 1
    scf.if %c {
      llvm.store %b, %p : f32, !llvm.ptr                  // 2
    } else {
      llvm.store %x, %p : f32, !llvm.ptr                  // 3
    }
    %y = llvm.load %p : !llvm.ptr -> f32                  // 4
    scf.for %k = %c0 to %n step %c1 {
      %z = llvm.load %q : !llvm.ptr -> f32                // 5
      llvm.store %z, %p : f32, !llvm.ptr                  // 6
    }
    %w = llvm.load %p : !llvm.ptr -> f32                  // 7
  } {mapping = [#gpu.thread<x>]}
  return
}

// The condition of a while is computed once at least; a call that has the address may write there; an array begins with nothing in it.
// CHECK-LABEL: thread loop in @while
// CHECK:       load 2: 0{{$}}
// CHECK:       load 5: 4? 3 unknown{{$}}
// CHECK:       load 6:{{$}}
func.func @while(%n: index, %a: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (%n) {
    %m = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
    %other = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
    scf.while (%s = %a) : (f32) -> f32 {
      %go = arith.cmpf olt, %s, %zero : f32
      llvm.store %s, %m : f32, !llvm.ptr                  // 0
      scf.condition(%go) %s : f32
    } do {
    ^bb0(%s: f32):
      %next = arith.addf %s, %a : f32
      scf.yield %next : f32
    }
    llvm.store %a, %other : f32, !llvm.ptr
    %x = llvm.load %m : !llvm.ptr -> f32                  // 2
    %last = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
    llvm.store %x, %last : f32, !llvm.ptr
    llvm.call @takes(%last) : (!llvm.ptr) -> ()
    %y = llvm.load %last : !llvm.ptr -> f32               // 5
    %new = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
    %z = llvm.load %new : !llvm.ptr -> f32                // 6
  } {mapping = [#gpu.thread<x>]}
  return
}
llvm.func @takes(!llvm.ptr)

// Memory of the block: the stores of other threads reach a load too, in the order of a lock step.
// CHECK-LABEL: thread loop in @shared
// CHECK:       load 1: 0{{$}}
// CHECK:       load 2: 0? before{{$}}
// CHECK:       load 4: 3? 0? before{{$}}
func.func @shared(%threads: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr                  // 0
    %y = llvm.load %own : !llvm.ptr -> f32                // 1
    "unwarp.barrier"() {level = "block"} : () -> ()
    %z = llvm.load %next : !llvm.ptr -> f32               // 2
    "unwarp.barrier"() {level = "block"} : () -> ()
    llvm.store %z, %s : f32, !llvm.ptr                    // 3
    %w = llvm.load %next : !llvm.ptr -> f32               // 4
  } {mapping = [#gpu.thread<x>]}
  return
}
