// RUN: %unwarp_opt --unswitch %s | FileCheck %s
// RUN: %unwarp_opt --unswitch --unswitch %s | FileCheck %s

// The format is loaded once, where some thread has an iteration of both loops; the loop over threads is there without the call, and as it was.
// Twice is once.

// CHECK-LABEL: func.func @format
// CHECK: %[[THREADS:.*]] = arith.cmpi slt, %c0, %arg0 : index
// CHECK: %[[INNER:.*]] = arith.cmpi ult, %c0_i32, %arg2 : i32
// CHECK: %[[SOME:.*]] = arith.andi %[[THREADS]], %[[INNER]]
// CHECK: %[[OUTER:.*]] = arith.cmpi slt, %c0{{.*}}, %arg1 : index
// CHECK: %[[ALL:.*]] = arith.andi %[[SOME]], %[[OUTER]]
// CHECK: %[[PLAIN:.*]] = scf.if %[[ALL]] -> (i1) {
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK: arith.cmpi eq
// CHECK: } else {
// CHECK: scf.yield %false
// CHECK: scf.if %[[PLAIN]] {
// CHECK: scf.forall
// CHECK-NOT: llvm.call
// CHECK: } else {
// CHECK: scf.forall
// CHECK: llvm.call @fetch
// CHECK: unwarp.unswitched
// CHECK-NOT: scf.forall
llvm.func @fetch(!llvm.ptr, i64) -> f32
func.func @format(%threads: index, %n: index, %m: i32, %texture: !llvm.ptr, %out: !llvm.ptr {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x = arith.constant 0.0 : f32
  %format = arith.constant 260 : i32
  scf.forall (%t) in (%threads) {
    %i = arith.index_cast %t : index to i64
    %all = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %x) -> (f32) {
      %row = scf.for unsigned %j = %zero to %m step %one iter_args(%s = %sum) -> (f32) : i32 {
        %record = llvm.load %texture : !llvm.ptr -> !llvm.ptr
        %place = llvm.getelementptr %record[9] : (!llvm.ptr) -> !llvm.ptr, i32
        %own = llvm.load %place : !llvm.ptr -> i32
        %plain = arith.cmpi eq, %own, %format : i32
        %y = scf.if %plain -> (f32) {
          %data = llvm.getelementptr %record[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %z = llvm.load %data : !llvm.ptr -> f32
          scf.yield %z : f32
        } else {
          %z = llvm.call @fetch(%record, %i) {memory_effects = #llvm.memory_effects<other = read, argMem = read, inaccessibleMem = read, errnoMem = read, targetMem0 = read, targetMem1 = read>} : (!llvm.ptr, i64) -> f32
          scf.yield %z : f32
        }
        %next = arith.addf %s, %y : f32
        scf.yield %next : f32
      }
      scf.yield %row : f32
    }
    %mine = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %all, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
