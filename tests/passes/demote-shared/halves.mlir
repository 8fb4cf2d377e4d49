// RUN: %unwarp_opt --demote-shared %s | FileCheck %s

// Two stores that fill the halves of a tile: they are apart because there are no more than 32 threads, not by the bytes of
// an element. One element less, and the last thread of the first store meets the first one of the second.
// In the second function the loop around the loads ends with a minimum.

// CHECK-LABEL: func.func @halves
// CHECK-NOT: unwarp.shared
// CHECK-NOT: unwarp.barrier
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64, unwarp.restrict = 1
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64, unwarp.restrict = 1
// CHECK-LABEL: func.func @minimum
// CHECK-NOT: unwarp.shared
// CHECK-LABEL: func.func @overlapping
// CHECK: unwarp.shared
func.func @halves(%g: !llvm.ptr, %n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %other = llvm.getelementptr %own[32] : (!llvm.ptr) -> !llvm.ptr, f32
    %sum = scf.for %base = %c0 to %n step %c64 iter_args(%a = %zero) -> (f32) {
      %i = arith.addi %base, %t : index
      %ii = arith.index_cast %i : index to i64
      %from = llvm.getelementptr %g[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %own : f32, !llvm.ptr
      %on = llvm.getelementptr %from[32] : (!llvm.ptr) -> !llvm.ptr, f32
      %w = llvm.load %on {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %w, %other : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%b = %a) -> (f32) {
        %ki = arith.index_cast %k : index to i64
        %at = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %y = llvm.load %at : !llvm.ptr -> f32
        %next = llvm.getelementptr %at[32] : (!llvm.ptr) -> !llvm.ptr, f32
        %v = llvm.load %next : !llvm.ptr -> f32
        %z = arith.addf %b, %y : f32
        %zz = arith.addf %z, %v : f32
        scf.yield %zz : f32
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %r : f32
    }
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @minimum(%g: !llvm.ptr, %n: index, %m: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %few = arith.minui %m, %c32 : index
  %zero = arith.constant 0.0 : f32
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %other = llvm.getelementptr %own[32] : (!llvm.ptr) -> !llvm.ptr, f32
    %sum = scf.for %base = %c0 to %n step %c64 iter_args(%a = %zero) -> (f32) {
      %i = arith.addi %base, %t : index
      %ii = arith.index_cast %i : index to i64
      %from = llvm.getelementptr %g[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %own : f32, !llvm.ptr
      %on = llvm.getelementptr %from[32] : (!llvm.ptr) -> !llvm.ptr, f32
      %w = llvm.load %on {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %w, %other : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %r = scf.for %k = %c0 to %few step %c1 iter_args(%b = %a) -> (f32) {
        %ki = arith.index_cast %k : index to i64
        %at = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %y = llvm.load %at : !llvm.ptr -> f32
        %next = llvm.getelementptr %at[32] : (!llvm.ptr) -> !llvm.ptr, f32
        %v = llvm.load %next : !llvm.ptr -> f32
        %z = arith.addf %b, %y : f32
        %zz = arith.addf %z, %v : f32
        scf.yield %zz : f32
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %r : f32
    }
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @overlapping(%g: !llvm.ptr, %n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %other = llvm.getelementptr %own[31] : (!llvm.ptr) -> !llvm.ptr, f32
    %sum = scf.for %base = %c0 to %n step %c64 iter_args(%a = %zero) -> (f32) {
      %i = arith.addi %base, %t : index
      %ii = arith.index_cast %i : index to i64
      %from = llvm.getelementptr %g[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %own : f32, !llvm.ptr
      %on = llvm.getelementptr %from[32] : (!llvm.ptr) -> !llvm.ptr, f32
      %w = llvm.load %on {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %w, %other : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%b = %a) -> (f32) {
        %ki = arith.index_cast %k : index to i64
        %at = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %y = llvm.load %at : !llvm.ptr -> f32
        %next = llvm.getelementptr %at[31] : (!llvm.ptr) -> !llvm.ptr, f32
        %v = llvm.load %next : !llvm.ptr -> f32
        %z = arith.addf %b, %y : f32
        %zz = arith.addf %z, %v : f32
        scf.yield %zz : f32
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %r : f32
    }
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
