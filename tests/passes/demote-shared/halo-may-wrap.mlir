// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --demote-shared %s | FileCheck %s

// Where the sum may wrap around between two threads, the neighbour's element is not the next one: the tile stays.
// CHECK-LABEL: func.func @row
// CHECK: unwarp.shared
// CHECK: unwarp.barrier
func.func @row(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i15 = arith.constant 15 : i32
  %i16 = arith.constant 16 : i32
  %bytes = arith.constant 72 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    %end = llvm.getelementptr %s[17] : (!llvm.ptr) -> !llvm.ptr, f32
    %bi = arith.index_castui %block : index to i32
    %first = arith.muli %bi, %i16 : i32
    scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
      %t = arith.index_castui %tx : index to i32
      %x = arith.addi %first, %t : i32
      %xw = arith.extsi %x : i32 to i64
      %tw = arith.extui %t : i32 to i64
      %at = llvm.getelementptr inbounds %in[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %own = llvm.getelementptr %s[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %middle = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %right = llvm.getelementptr %own[2] : (!llvm.ptr) -> !llvm.ptr, f32
      %last = arith.subi %n, %i1 : i32
      %within = arith.cmpi slt, %x, %n : i32
      scf.if %within {
        %v = llvm.load %at {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        llvm.store %v, %middle : f32, !llvm.ptr
        %is_first = arith.cmpi eq, %t, %z : i32
        %has_left = arith.cmpi sgt, %x, %z : i32
        %l = arith.andi %is_first, %has_left : i1
        scf.if %l {
          %before = llvm.getelementptr %at[-1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %before {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          llvm.store %w, %s : f32, !llvm.ptr
        }
        %is_last = arith.cmpi eq, %t, %i15 : i32
        %has_right = arith.cmpi slt, %x, %last : i32
        %r = arith.andi %is_last, %has_right : i1
        scf.if %r {
          %after = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %after {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          llvm.store %w, %end : f32, !llvm.ptr
        }
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      %a = arith.cmpi sge, %x, %i1 : i32
      %c = arith.cmpi slt, %x, %last : i32
      %inner = arith.andi %a, %c : i1
      scf.if %inner {
        %v = llvm.load %own : !llvm.ptr -> f32
        %w = llvm.load %right : !llvm.ptr -> f32
        %sum = arith.addf %v, %w : f32
        %to = llvm.getelementptr %out[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %sum, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
