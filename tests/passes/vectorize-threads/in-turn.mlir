// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What has no form for vectors the lanes do one after the other, where all else pays: an atomic operation, a copy of a few bytes, a short
// branch around a report. Its address is made of the same base, so that it stays known whose memory it is.
// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {
llvm.func @uwrt_assert_fail(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64)

// CHECK-LABEL: func.func @counts
// CHECK: math.exp %{{.*}} : vector<16xf32>
// CHECK: %[[i:.*]] = llvm.extractelement %{{.*}} : vector<16xi64>
// CHECK: %[[at:.*]] = llvm.getelementptr %arg2[%[[i]]]
// CHECK: llvm.atomicrmw add %[[at]], %{{.*}} monotonic : !llvm.ptr, i32
// CHECK-COUNT-15: llvm.atomicrmw add %{{.*}}, %{{.*}} monotonic : !llvm.ptr, i32
// CHECK-NOT: unwarp.in_turn
func.func @counts(%n: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%c64) {
    %t64 = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %in[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from : !llvm.ptr -> f32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %a = math.exp %s : f32
      %b = math.sin %a : f32
      %c = math.cos %b : f32
      %i = arith.fptosi %c : f32 to i64
      %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old = llvm.atomicrmw add %to, %one monotonic : !llvm.ptr, i32
      scf.yield %c : f32
    }
    llvm.store %sum, %from : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Under a mask each lane is asked whether it is at work; the old value is a vector again.
// CHECK-LABEL: func.func @appends
// CHECK: llvm.extractelement %{{.*}} : vector<16xi1>
// CHECK: scf.if %{{.*}} -> (i64)
// CHECK: llvm.atomicrmw add %{{.*}}, %{{.*}} monotonic : !llvm.ptr, i64
// CHECK: llvm.insertelement %{{.*}} : vector<16xi64>
// CHECK: llvm.intr.masked.scatter
func.func @appends(%n: index, %in: !llvm.ptr, %out: !llvm.ptr, %count: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i64
  %few = arith.constant 0.9 : f32
  scf.forall (%t) in (%c64) {
    %t64 = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %in[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from : !llvm.ptr -> f32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %a = math.exp %s : f32
      %b = math.sin %a : f32
      %c = math.cos %b : f32
      %is = arith.cmpf ogt, %c, %few : f32
      scf.if %is {
        %at = llvm.atomicrmw add %count, %one monotonic : !llvm.ptr, i64
        %to = llvm.getelementptr %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %c, %to : f32, !llvm.ptr
      }
      scf.yield %c : f32
    }
    llvm.store %sum, %from : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The thread's own index is stored for the report: both by one lane before the next.
// CHECK-LABEL: func.func @reports
// CHECK: math.exp %{{.*}} : vector<16xf32>
// CHECK: scf.for %
// CHECK: scf.if
// CHECK: llvm.store %{{.*}} : i32, !llvm.ptr
// CHECK: llvm.call @uwrt_assert_fail
func.func @reports(%n: index, %in: !llvm.ptr, %context: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %line = arith.constant 7 : i32
  %size = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (%c64) {
    %t64 = arith.index_cast %t : index to i64
    %t32 = arith.index_cast %t : index to i32
    %from = llvm.getelementptr %in[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from : !llvm.ptr -> f32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %a = math.exp %s : f32
      %bad = arith.cmpf olt, %a, %zero : f32
      scf.if %bad {
        llvm.store %t32, %context : i32, !llvm.ptr
        llvm.call @uwrt_assert_fail(%in, %in, %line, %in, %size) : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64) -> ()
      }
      scf.yield %a : f32
    }
    llvm.store %sum, %from : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @copies
// CHECK: math.exp %{{.*}} : vector<16xf32>
// CHECK-COUNT-16: llvm.intr.memcpy
func.func @copies(%n: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %bytes = arith.constant 16 : i64
  scf.forall (%t) in (%c64) {
    %t64 = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %in[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, vector<4xf32>
    %x = llvm.load %from : !llvm.ptr -> f32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %a = math.exp %s : f32
      %b = math.sin %a : f32
      %c = math.cos %b : f32
      %i = arith.fptosi %c : f32 to i64
      %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, vector<4xf32>
      "llvm.intr.memcpy"(%to, %from, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
      scf.yield %c : f32
    }
    llvm.store %sum, %from : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Must refuse: a loop that goes on until an atomic operation finds a lock free, which another lane of the packet may hold; an atomic
// operation that is most of the work; a long copy.
// CHECK-LABEL: func.func @waits
// CHECK-NOT: vector<
func.func @waits(%n: index, %in: !llvm.ptr, %lock: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%c64) {
    %t64 = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %in[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from : !llvm.ptr -> f32
    %sum = scf.while (%s = %x) : (f32) -> f32 {
      %a = math.exp %s : f32
      %b = math.sin %a : f32
      %old = llvm.atomicrmw xchg %lock, %one monotonic : !llvm.ptr, i32
      %held = arith.cmpi ne, %old, %zero : i32
      scf.condition(%held) %b : f32
    } do {
    ^bb0(%s: f32):
      scf.yield %s : f32
    }
    llvm.store %sum, %from : f32, !llvm.ptr
    %free = llvm.atomicrmw xchg %lock, %zero monotonic : !llvm.ptr, i32
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @hardly_pays(%n: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%c64) {
    %t64 = arith.index_cast %t : index to i64
    scf.for %k = %c0 to %n step %c1 {
      %k64 = arith.index_cast %k : index to i64
      %i = arith.xori %k64, %t64 : i64
      %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old = llvm.atomicrmw add %to, %one monotonic : !llvm.ptr, i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @long_copy(%n: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %bytes = arith.constant 4096 : i64
  scf.forall (%t) in (%c64) {
    %t64 = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %in[%t64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from : !llvm.ptr -> f32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %a = math.exp %s : f32
      %b = math.sin %a : f32
      %i = arith.fptosi %b : f32 to i64
      %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      "llvm.intr.memcpy"(%to, %from, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
      scf.yield %b : f32
    }
    llvm.store %sum, %from : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
