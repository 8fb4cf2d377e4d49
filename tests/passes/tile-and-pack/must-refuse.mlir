// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that stay: whose end threads differ in, whose loads depend on the row or lie close together from one iteration to the next, that
// store, and after a store.
// RUN: %unwarp_opt --tile-and-pack %s | FileCheck %s

// CHECK-NOT: "unwarp.slot"
// CHECK-LABEL: func.func @own_end
func.func @own_end(%along: index, %width: index, %height: index, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%block) in (%along) {
    scf.forall (%z, %y, %x) in (%c1, %height, %width) {
      %row = arith.muli %y, %n : index
      %sum = scf.for %k = %c0 to %x step %c1 iter_args(%s = %zero) -> (f32) {
        %i = arith.addi %row, %k : index
        %i64 = arith.index_cast %i : index to i64
        %p = llvm.getelementptr %a[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %u = llvm.load %p : !llvm.ptr -> f32
        %above = arith.muli %k, %n : index
        %j = arith.addi %above, %x : index
        %j64 = arith.index_cast %j : index to i64
        %q = llvm.getelementptr %b[%j64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %q : !llvm.ptr -> f32
        %w = arith.mulf %u, %v : f32
        %t = arith.addf %s, %w : f32
        scf.yield %t : f32
      }
      %m = arith.addi %row, %x : index
      %m64 = arith.index_cast %m : index to i64
      %r = llvm.getelementptr %c[%m64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %r : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// CHECK-LABEL: func.func @own_row
func.func @own_row(%along: index, %width: index, %height: index, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%block) in (%along) {
    scf.forall (%z, %y, %x) in (%c1, %height, %width) {
      %row = arith.muli %y, %n : index
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
        %i = arith.addi %row, %k : index
        %i64 = arith.index_cast %i : index to i64
        %p = llvm.getelementptr %a[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %u = llvm.load %p : !llvm.ptr -> f32
        %above = arith.muli %k, %n : index
        %j = arith.addi %above, %row : index
        %j64 = arith.index_cast %j : index to i64
        %q = llvm.getelementptr %b[%j64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %q : !llvm.ptr -> f32
        %w = arith.mulf %u, %v : f32
        %t = arith.addf %s, %w : f32
        scf.yield %t : f32
      }
      %m = arith.addi %row, %x : index
      %m64 = arith.index_cast %m : index to i64
      %r = llvm.getelementptr %c[%m64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %r : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// CHECK-LABEL: func.func @close
func.func @close(%along: index, %width: index, %height: index, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%block) in (%along) {
    scf.forall (%z, %y, %x) in (%c1, %height, %width) {
      %row = arith.muli %y, %n : index
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
        %i = arith.addi %row, %k : index
        %i64 = arith.index_cast %i : index to i64
        %p = llvm.getelementptr %a[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %u = llvm.load %p : !llvm.ptr -> f32
        %above = arith.muli %k, %c64 : index
        %j = arith.addi %above, %x : index
        %j64 = arith.index_cast %j : index to i64
        %q = llvm.getelementptr %b[%j64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %q : !llvm.ptr -> f32
        %w = arith.mulf %u, %v : f32
        %t = arith.addf %s, %w : f32
        scf.yield %t : f32
      }
      %m = arith.addi %row, %x : index
      %m64 = arith.index_cast %m : index to i64
      %r = llvm.getelementptr %c[%m64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %r : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// CHECK-LABEL: func.func @stores
func.func @stores(%along: index, %width: index, %height: index, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%block) in (%along) {
    scf.forall (%z, %y, %x) in (%c1, %height, %width) {
      %row = arith.muli %y, %n : index
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
        %i = arith.addi %row, %k : index
        %i64 = arith.index_cast %i : index to i64
        %p = llvm.getelementptr %a[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %u = llvm.load %p : !llvm.ptr -> f32
        %above = arith.muli %k, %n : index
        %j = arith.addi %above, %x : index
        %j64 = arith.index_cast %j : index to i64
        %q = llvm.getelementptr %b[%j64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %q : !llvm.ptr -> f32
        %w = arith.mulf %u, %v : f32
        %t = arith.addf %s, %w : f32
        llvm.store %t, %p : f32, !llvm.ptr
        scf.yield %t : f32
      }
      %m = arith.addi %row, %x : index
      %m64 = arith.index_cast %m : index to i64
      %r = llvm.getelementptr %c[%m64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %r : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// CHECK-LABEL: func.func @after_a_store
func.func @after_a_store(%along: index, %width: index, %height: index, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%block) in (%along) {
    scf.forall (%z, %y, %x) in (%c1, %height, %width) {
      %row = arith.muli %y, %n : index
      llvm.store %zero, %c : f32, !llvm.ptr
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
        %i = arith.addi %row, %k : index
        %i64 = arith.index_cast %i : index to i64
        %p = llvm.getelementptr %a[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %u = llvm.load %p : !llvm.ptr -> f32
        %above = arith.muli %k, %n : index
        %j = arith.addi %above, %x : index
        %j64 = arith.index_cast %j : index to i64
        %q = llvm.getelementptr %b[%j64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %q : !llvm.ptr -> f32
        %w = arith.mulf %u, %v : f32
        %t = arith.addf %s, %w : f32
        scf.yield %t : f32
      }
      %m = arith.addi %row, %x : index
      %m64 = arith.index_cast %m : index to i64
      %r = llvm.getelementptr %c[%m64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %r : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
// CHECK-NOT: "unwarp.slot"
