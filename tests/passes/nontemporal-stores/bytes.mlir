// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row that is counted in bytes, by sums of 64 bits, is a row of elements.
// RUN: %unwarp_opt --nontemporal-stores %s | FileCheck %s

module attributes {llvm.target_triple = "x86_64-pc-linux-gnu"} {
  // CHECK-LABEL: func.func @bytes
  // CHECK: llvm.store {{.*}} {alias_scopes = [#
  // CHECK-LABEL: func.func @half
  // CHECK-NOT: alias_scopes
  func.func @bytes(%blocks: index, %row: index, %out: !llvm.ptr, %v: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %i4 = arith.constant 4 : i64
    scf.forall (%b) in (%blocks) {
      %first = arith.muli %b, %row : index
      scf.forall (%z, %y, %x) in (%c1, %c1, %row) {
        %at = arith.addi %first, %x : index
        %atl = arith.index_cast %at : index to i64
        %far = arith.muli %atl, %i4 : i64
        %p = llvm.getelementptr %out[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        llvm.store %v, %p : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
  // Elements that lie apart; and those that lie side by side, but for what each thread adds of its own.
  func.func @half(%blocks: index, %row: index, %out: !llvm.ptr, %v: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %i2 = arith.constant 2 : i64
    scf.forall (%b) in (%blocks) {
      %first = arith.muli %b, %row : index
      scf.forall (%z, %y, %x) in (%c1, %c1, %row) {
        %at = arith.addi %first, %x : index
        %atl = arith.index_cast %at : index to i64
        %far = arith.muli %atl, %i2 : i64
        %p = llvm.getelementptr %out[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %p : f32, !llvm.ptr
        %own = arith.divui %atl, %i2 : i64
        %near = arith.addi %atl, %own : i64
        %q = llvm.getelementptr %out[%near] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %q : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
}
