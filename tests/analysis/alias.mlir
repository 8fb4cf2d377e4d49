// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which accesses may touch the same bytes, of one thread or of two, and why the others cannot.
// RUN: %unwarp_opt --print-analysis=alias %s | FileCheck %s

llvm.mlir.global internal @first(0 : i32) : i32
llvm.mlir.global internal @second(0 : i32) : i32
llvm.func @cudaMalloc(!llvm.ptr, i64) -> i32
llvm.func @elsewhere(!llvm.ptr)

// Objects: a shared array, two of a thread, two globals, and a pointer from before the launch.
// CHECK-LABEL: thread loop in @objects
// CHECK: accesses 0 and 0: meet in the same thread only, in the same bytes
// CHECK: accesses 0 and 1: never meet: different objects
// CHECK: accesses 0 and 2: never meet: a global and an object of the launch
// CHECK: accesses 0 and 4: never meet: an object of the launch and a pointer from before it
// CHECK: accesses 2 and 2: may meet{{$}}
// CHECK: accesses 2 and 3: never meet: different globals
// CHECK: accesses 2 and 4: may meet{{$}}
// CHECK: accesses 3 and 5: may meet: one may be anywhere
func.func @objects(%n: index, %x: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  %f = llvm.mlir.addressof @first : !llvm.ptr
  %g = llvm.mlir.addressof @second : !llvm.ptr
  scf.forall (%t) in (%n) {
    %m = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
    llvm.store %x, %m : i32, !llvm.ptr // 0
    llvm.store %x, %s : i32, !llvm.ptr // 1
    llvm.store %x, %f : i32, !llvm.ptr // 2
    llvm.store %x, %g : i32, !llvm.ptr // 3
    llvm.store %x, %q : i32, !llvm.ptr // 4
    llvm.call @elsewhere(%q) : (!llvm.ptr) -> () // 5
  } {mapping = [#gpu.thread<x>]}
  return
}

// Addresses of one array: a thread's own, its neighbour's, the upper half of the own one, one that any thread may take.
// CHECK-LABEL: thread loop in @places
// CHECK: accesses 0 and 0: meet in the same thread only, in the same bytes
// CHECK: accesses 0 and 1: may meet in different threads only
// CHECK: accesses 0 and 2: may meet in the same thread only
// CHECK: accesses 0 and 3: may meet{{$}}
// CHECK: accesses 0 and 4: never meet: different addresses
// CHECK: accesses 1 and 2: may meet in different threads only
func.func @places(%n: index, %i: i64, %x: f32, %h: i16, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    %k = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(f32, f32)>
    %next = llvm.getelementptr %own[8] : (!llvm.ptr) -> !llvm.ptr, i8
    %half = llvm.getelementptr %own[2] : (!llvm.ptr) -> !llvm.ptr, i8
    %any = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %other = llvm.getelementptr %own[4] : (!llvm.ptr) -> !llvm.ptr, i8
    llvm.store %x, %own : f32, !llvm.ptr   // 0
    llvm.store %x, %next : f32, !llvm.ptr  // 1
    llvm.store %h, %half : i16, !llvm.ptr  // 2
    llvm.store %x, %any : f32, !llvm.ptr   // 3
    llvm.store %x, %other : f32, !llvm.ptr // 4
  } {mapping = [#gpu.thread<x>]}
  return
}

// Pointers: two parameters, one of them __restrict__.
// CHECK-LABEL: thread loop in @parameters
// CHECK: accesses 0 and 1: never meet: __restrict__
// CHECK: accesses 1 and 2: may meet{{$}}
func.func @parameters(%n: index, %x: f32, %p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    llvm.store %x, %p {unwarp.restrict = 1 : i32} : f32, !llvm.ptr // 0
    llvm.store %x, %q : f32, !llvm.ptr // 1
    llvm.store %x, %r : f32, !llvm.ptr // 2
  } {mapping = [#gpu.thread<x>]}
  return
}

// What the launching function shows: pointers from two allocations, and a third that something else may have set.
// CHECK-LABEL: thread loop in @allocations
// CHECK: accesses 0 and 1: never meet: allocations of their own in the launching function
// CHECK: accesses 0 and 2: may meet{{$}}
func.func @allocations(%n: index, %x: f32, %bytes: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %a = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %c = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %e0 = llvm.call @cudaMalloc(%a, %bytes) : (!llvm.ptr, i64) -> i32
  %e1 = llvm.call @cudaMalloc(%b, %bytes) : (!llvm.ptr, i64) -> i32
  %e2 = llvm.call @cudaMalloc(%c, %bytes) : (!llvm.ptr, i64) -> i32
  llvm.call @elsewhere(%c) : (!llvm.ptr) -> ()
  %p = llvm.load %a : !llvm.ptr -> !llvm.ptr
  %q = llvm.load %b : !llvm.ptr -> !llvm.ptr
  %r = llvm.load %c : !llvm.ptr -> !llvm.ptr
  scf.forall (%t) in (%n) {
    llvm.store %x, %p : f32, !llvm.ptr // 0
    llvm.store %x, %q : f32, !llvm.ptr // 1
    llvm.store %x, %r : f32, !llvm.ptr // 2
  } {mapping = [#gpu.thread<x>]}
  return
}
