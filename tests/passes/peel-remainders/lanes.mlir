// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --peel-remainders %s | FileCheck %s
// RUN: %unwarp_opt --peel-remainders %s >%t && %unwarp_opt --peel-remainders %t | diff %t -

// Lanes carry a sum: the iterations in which all of them take part ask nothing, the last ones go on with what these leave.
// CHECK-LABEL: func.func @sum
// CHECK: %[[FULL:.*]] = scf.for %
// CHECK-NOT: scf.if
// CHECK: scf.yield
// CHECK: %[[ALL:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[FULL]])
// CHECK: scf.if
// CHECK: llvm.store %[[ALL]]
// CHECK-LABEL: func.func @loaded
// CHECK-COUNT-1: scf.for %
// CHECK-NOT: scf.for %
// CHECK-LABEL: func.func @other_value
// CHECK-COUNT-1: scf.for %
// CHECK-NOT: scf.for %
func.func @sum(%n: index, %blocks: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%b) in (%blocks) {
    scf.forall (%l) in (%c32) {
      %s = scf.for %k = %c0 to %n step %c32 iter_args(%sum = %zero) -> (f32) {
        %left = arith.subi %n, %k : index
        %part = arith.cmpi slt, %l, %left : index
        %next = scf.if %part -> (f32) {
          %i = arith.addi %k, %l : index
          %ii = arith.index_cast %i : index to i64
          %p = llvm.getelementptr %in[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %v = llvm.load %p : !llvm.ptr -> f32
          %add = arith.addf %sum, %v : f32
          scf.yield %add : f32
        } else {
          scf.yield %sum : f32
        }
        scf.yield %next : f32
      }
      %ll = arith.index_cast %l : index to i64
      %o = llvm.getelementptr %out[%ll] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %s, %o : f32, !llvm.ptr
    } {mapping = [#gpu.lane<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// A row whose end is loaded is mostly short.
func.func @loaded(%ends: !llvm.ptr, %blocks: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%b) in (%blocks) {
    %end = llvm.load %ends : !llvm.ptr -> i64
    %n = arith.index_cast %end : i64 to index
    scf.forall (%l) in (%c32) {
      %s = scf.for %k = %c0 to %n step %c32 iter_args(%sum = %zero) -> (f32) {
        %left = arith.subi %n, %k : index
        %part = arith.cmpi slt, %l, %left : index
        %next = scf.if %part -> (f32) {
          %v = llvm.load %in : !llvm.ptr -> f32
          %add = arith.addf %sum, %v : f32
          scf.yield %add : f32
        } else {
          scf.yield %sum : f32
        }
        scf.yield %next : f32
      }
      llvm.store %s, %out : f32, !llvm.ptr
    } {mapping = [#gpu.lane<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// The loop carries something else than what the branch gives.
func.func @other_value(%n: index, %blocks: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%b) in (%blocks) {
    scf.forall (%l) in (%c32) {
      %s = scf.for %k = %c0 to %n step %c32 iter_args(%sum = %zero) -> (f32) {
        %left = arith.subi %n, %k : index
        %part = arith.cmpi slt, %l, %left : index
        %next = scf.if %part -> (f32) {
          %v = llvm.load %in : !llvm.ptr -> f32
          scf.yield %v : f32
        } else {
          scf.yield %zero : f32
        }
        %add = arith.addf %sum, %next : f32
        scf.yield %add : f32
      }
      llvm.store %s, %out : f32, !llvm.ptr
    } {mapping = [#gpu.lane<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
