// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unwarp_opt --select-loads %s | FileCheck %s
// RUN: %unwarp_opt --select-loads %s > %t && %unwarp_opt --select-loads %t | diff %t -

// The first thread of a row reads another tile: both are loaded from, and the tile has a margin of a line before it.
// CHECK-LABEL: func.func @rim
// CHECK: %[[SIZE:.*]] = arith.constant 1088 : i64
// CHECK: "unwarp.shared"(%[[SIZE]])
// CHECK: scf.forall (%[[Y:.*]], %[[X:.*]]) {{=|in}}
// CHECK-NOT: scf.if
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[X]], %{{.*}} : index
// CHECK-NOT: scf.if
// CHECK: %[[TILE:.*]] = llvm.load
// CHECK: %[[WEST:.*]] = llvm.load
// CHECK: arith.select %[[FIRST]], %[[WEST]], %[[TILE]] : f32
//
// What is written for x == 0, y == 0 and neither is one address each: a chain becomes the comparison that decides.
// CHECK-LABEL: func.func @chain
// CHECK: scf.forall (%[[Y:.*]], %[[X:.*]]) {{=|in}}
// CHECK-NOT: scf.if
// CHECK: %[[TOP:.*]] = arith.cmpi eq, %[[Y]], %{{.*}} : index
// CHECK-NOT: scf.if
// CHECK: %[[ABOVE:.*]] = llvm.load
// CHECK: %[[NORTH:.*]] = llvm.load
// CHECK: arith.select %[[TOP]], %[[NORTH]], %[[ABOVE]] : f32
// CHECK-NOT: llvm.load
module attributes {unwarp.register_bytes = 32 : i64} {
func.func @rim(%n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %bytes = arith.constant 1024 : i64
  scf.forall (%block) in (%n) {
    %tile = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "t"} : (i64) -> !llvm.ptr
    %west = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "t"} : (i64) -> !llvm.ptr
    scf.forall (%y, %x) in (%c16, %c16) {
      %i = arith.index_cast %x : index to i64
      %k = arith.index_cast %y : index to i64
      %row = llvm.getelementptr %tile[%k] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<16 x f32>
      %first = arith.cmpi eq, %x, %c0 : index
      %p = scf.if %first -> (!llvm.ptr) {
        %other = llvm.getelementptr %west[%k] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<16 x f32>
        scf.yield %other : !llvm.ptr
      } else {
        %own = llvm.getelementptr inbounds %row[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %left = llvm.getelementptr %own[-4] : (!llvm.ptr) -> !llvm.ptr, i8
        scf.yield %left : !llvm.ptr
      }
      %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> f32
      %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %to {alignment = 4 : i64} : f32, !llvm.ptr
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @chain(%n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %bytes = arith.constant 1024 : i64
  scf.forall (%block) in (%n) {
    %tile = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "t"} : (i64) -> !llvm.ptr
    %north = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "t"} : (i64) -> !llvm.ptr
    scf.forall (%y, %x) in (%c16, %c16) {
      %i = arith.index_cast %x : index to i64
      %k = arith.index_cast %y : index to i64
      %row = llvm.getelementptr %tile[%k] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<16 x f32>
      %own = llvm.getelementptr %row[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %above = llvm.getelementptr %own[-64] : (!llvm.ptr) -> !llvm.ptr, i8
      %to_north = llvm.getelementptr %north[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %top = arith.cmpi eq, %y, %c0 : index
      %first = arith.cmpi eq, %x, %c0 : index
      %corner = arith.andi %top, %first : i1
      %p = scf.if %corner -> (!llvm.ptr) {
        scf.yield %north : !llvm.ptr
      } else {
        %q = scf.if %first -> (!llvm.ptr) {
          %start = llvm.getelementptr %row[-64] : (!llvm.ptr) -> !llvm.ptr, i8
          scf.yield %start : !llvm.ptr // %above, as %x is 0
        } else {
          %r = arith.select %top, %to_north, %above : !llvm.ptr
          scf.yield %r : !llvm.ptr
        }
        scf.yield %q : !llvm.ptr
      }
      %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> f32
      %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %to {alignment = 4 : i64} : f32, !llvm.ptr
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
}
