// RUN: %unwarp_opt --demote-shared %s | FileCheck %s
// RUN: %unwarp_opt --demote-shared --demote-shared %s | FileCheck %s

// A tile that is but a copy: its readers read the original, tile and barriers go. In the second function one thread of each row copies,
// under a condition that names it; in the third one thread for all.

// CHECK-LABEL: func.func @tiles
// CHECK-NOT: unwarp.shared
// CHECK-NOT: unwarp.barrier
// CHECK-NOT: llvm.store
// CHECK: scf.for %
// CHECK: scf.for [[K:%[0-9a-z]+]] =
// CHECK: [[BYTES:%[0-9a-z]+]] = arith.muli [[K]]
// CHECK: [[MORE:%[0-9a-z]+]] = arith.index_cast [[BYTES]] : index to i64
// CHECK: [[AT:%[0-9a-z]+]] = llvm.getelementptr %{{.*}}{{\[}}[[MORE]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: llvm.load [[AT]] {alignment = 4 : i64, unwarp.restrict = 1
// CHECK: llvm.store
// CHECK-LABEL: func.func @one_of_a_row
// CHECK-NOT: unwarp.shared
// CHECK-NOT: unwarp.barrier
// CHECK: scf.forall ([[Y:%[0-9a-z]+]], %{{.*}}) {{=|in}}
// CHECK: scf.if
// CHECK-NOT: llvm.store
// CHECK: [[ROW:%[0-9a-z]+]] = arith.index_castui [[Y]]
// CHECK: [[FROM:%[0-9a-z]+]] = llvm.getelementptr %arg0{{\[}}[[ROW]]]
// CHECK: llvm.load [[FROM]]
// CHECK-LABEL: func.func @one_for_all
// CHECK-NOT: unwarp.shared
// CHECK-NOT: unwarp.barrier
// CHECK: llvm.load %arg0 {alignment = 4 : i64, unwarp.restrict = 1
func.func @tiles(%g: !llvm.ptr, %n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %sum = scf.for %base = %c0 to %n step %c32 iter_args(%a = %zero) -> (f32) {
      %i = arith.addi %base, %t : index
      %ii = arith.index_cast %i : index to i64
      %from = llvm.getelementptr %g[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%b = %a) -> (f32) {
        %ki = arith.index_cast %k : index to i64
        %at = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %y = llvm.load %at : !llvm.ptr -> f32
        %z = arith.addf %b, %y : f32
        scf.yield %z : f32
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %r : f32
    }
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @one_of_a_row(%g: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %bytes = llvm.mlir.constant(64 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%y, %x) in (%c16, %c16) {
    %yi = arith.index_castui %y : index to i64
    %xi = arith.index_castui %x : index to i32
    %zero = arith.constant 0 : i32
    %first = arith.cmpi eq, %xi, %zero : i32
    %row = llvm.getelementptr %s[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    scf.if %first {
      %from = llvm.getelementptr %g[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %v, %row : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %w = llvm.load %row : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<16 x f32>
    %xj = arith.index_castui %x : index to i64
    %toto = llvm.getelementptr %to[%xj] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %w, %toto {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @one_for_all(%g: !llvm.ptr, %threads: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = llvm.mlir.constant(4 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%y, %t) in (%threads, %threads) {
    %ti = arith.index_cast %t : index to i64
    %left = arith.cmpi eq, %t, %c0 : index
    %top = arith.cmpi eq, %y, %c0 : index
    %first = arith.andi %left, %top : i1
    scf.if %first {
      %x = llvm.load %g {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %s : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %z = llvm.load %s : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %z, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}
