// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Narrow blocks whose threads add up products run together, 64 threads at most, also those of one row; wide ones do not.
// RUN: %unwarp_opt --coarsen-blocks %s | FileCheck %s
// RUN: %unwarp_opt --coarsen-blocks --coarsen-blocks %s | FileCheck %s

llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr

// CHECK-LABEL: func.func @narrow
// CHECK:       arith.divui %c64, %c16
// CHECK:       llvm.call @uwrt_max_workers
// CHECK:       %[[LEFT:.*]] = arith.subi %arg0
// CHECK:       %[[TAKEN:.*]] = arith.minui %{{.*}}, %[[LEFT]]
// CHECK:       %[[LONG:.*]] = arith.muli %[[TAKEN]], %c16
// CHECK:       scf.forall (%{{.*}}, %{{.*}}) {{(= .* to|in)}} (%c16, %[[LONG]])
func.func @narrow(%along: index, %dims: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%bx) in (%along) {
    %number = arith.index_cast %bx : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %base = arith.muli %bx, %c16 : index
    scf.forall (%y, %x) in (%c16, %c16) {
      %column = arith.addi %base, %x : index
      %row = arith.muli %y, %n : index
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
        %i = arith.addi %row, %k : index
        %i64 = arith.index_cast %i : index to i64
        %p = llvm.getelementptr %a[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %u = llvm.load %p : !llvm.ptr -> f32
        %above = arith.muli %k, %n : index
        %j = arith.addi %above, %column : index
        %j64 = arith.index_cast %j : index to i64
        %q = llvm.getelementptr %b[%j64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %q : !llvm.ptr -> f32
        %w = arith.mulf %u, %v : f32
        %t = arith.addf %s, %w : f32
        scf.yield %t : f32
      }
      %m = arith.addi %row, %column : index
      %m64 = arith.index_cast %m : index to i64
      %r = llvm.getelementptr %c[%m64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %r : f32, !llvm.ptr
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// CHECK-LABEL: func.func @one_row
// CHECK:       arith.divui %c64, %c16
// CHECK:       scf.forall (%{{.*}}, %{{.*}}) {{(= .* to|in)}} (%c1, %{{.*}})
func.func @one_row(%along: index, %dims: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%bx) in (%along) {
    %number = arith.index_cast %bx : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %base = arith.muli %bx, %c16 : index
    scf.forall (%y, %x) in (%c1, %c16) {
      %column = arith.addi %base, %x : index
      %row = arith.muli %y, %n : index
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
        %i = arith.addi %row, %k : index
        %i64 = arith.index_cast %i : index to i64
        %p = llvm.getelementptr %a[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %u = llvm.load %p : !llvm.ptr -> f32
        %above = arith.muli %k, %n : index
        %j = arith.addi %above, %column : index
        %j64 = arith.index_cast %j : index to i64
        %q = llvm.getelementptr %b[%j64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %q : !llvm.ptr -> f32
        %w = arith.mulf %u, %v : f32
        %t = arith.addf %s, %w : f32
        scf.yield %t : f32
      }
      %m = arith.addi %row, %column : index
      %m64 = arith.index_cast %m : index to i64
      %r = llvm.getelementptr %c[%m64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %r : f32, !llvm.ptr
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// CHECK-LABEL: func.func @broad
// CHECK-NOT:   uwrt_max_workers
// CHECK:       return
func.func @broad(%along: index, %dims: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%bx) in (%along) {
    %number = arith.index_cast %bx : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %base = arith.muli %bx, %c16 : index
    scf.forall (%y, %x) in (%c16, %c16) {
      %column = arith.addi %base, %x : index
      %row = arith.muli %y, %n : index
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
        %i = arith.addi %row, %k : index
        %i64 = arith.index_cast %i : index to i64
        %p = llvm.getelementptr %a[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %u = llvm.load %p : !llvm.ptr -> f32
        %above = arith.muli %k, %n : index
        %j = arith.addi %above, %column : index
        %j64 = arith.index_cast %j : index to i64
        %q = llvm.getelementptr %b[%j64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %q : !llvm.ptr -> f32
        %w = arith.mulf %u, %v : f32
        %t = arith.addf %s, %w : f32
        scf.yield %t : f32
      }
      %m = arith.addi %row, %column : index
      %m64 = arith.index_cast %m : index to i64
      %r = llvm.getelementptr %c[%m64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %r : f32, !llvm.ptr
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
