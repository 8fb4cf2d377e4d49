// RUN: %unwarp_opt --unswitch %s | FileCheck %s
// RUN: %unwarp_opt --unswitch --unswitch %s | FileCheck %s

// What type the elements have is asked once for all threads. Each arm has a loop over threads of its own, whose values go through one slot,
// and one for neighbours where the launch's stride is that of its elements; what follows the choice has a loop, too. Twice is once.

// CHECK-LABEL: func.func @types
// CHECK: %[[SLOT:.*]] = "unwarp.slot"
// CHECK-NOT: unwarp.slot
// CHECK: %[[NONE:.*]] = arith.cmpi eq, %arg1, %c0
// CHECK: scf.if %[[NONE]] {
// CHECK: %[[NEAR:.*]] = arith.cmpi eq, %arg2, %c1_i64
// CHECK: scf.if %[[NEAR]] {
// CHECK: scf.forall
// CHECK: arith.muli %{{.*}}, %c1_i64
// CHECK: llvm.load %{{.*}} -> i8
// CHECK: llvm.store %{{.*}} : f32
// CHECK: } else {
// CHECK: scf.forall
// CHECK: arith.muli %{{.*}}, %arg2
// CHECK: llvm.load %{{.*}} -> i8
// CHECK: unwarp.fallback
// CHECK: arith.cmpi eq, %arg1, %c1
// CHECK: arith.cmpi eq, %arg2, %c2_i64
// CHECK: llvm.load %{{.*}} -> i16
// CHECK: arith.cmpi eq, %arg1, %c2
// CHECK: arith.cmpi eq, %arg2, %c4_i64
// CHECK: llvm.load %{{.*}} -> i32
// CHECK: arith.cmpi eq, %arg1, %c3
// CHECK: arith.cmpi eq, %arg2, %c8_i64
// CHECK: llvm.load %{{.*}} -> i64
// CHECK: scf.forall
// CHECK-NOT: scf.if
// CHECK: arith.mulf
// CHECK-NOT: scf.forall
func.func @types(%threads: index, %type: index, %stride: i64, %in: !llvm.ptr, %out: !llvm.ptr {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f32
  scf.forall (%t) in (%threads) {
    %i = arith.index_cast %t : index to i64
    %at = arith.muli %i, %stride : i64
    %place = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %value = scf.index_switch %type -> f32
    case 0 {
      %x = llvm.load %place : !llvm.ptr -> i8
      %y = arith.sitofp %x : i8 to f32
      scf.yield %y : f32
    }
    case 1 {
      %x = llvm.load %place : !llvm.ptr -> i16
      %y = arith.sitofp %x : i16 to f32
      scf.yield %y : f32
    }
    case 2 {
      %x = llvm.load %place : !llvm.ptr -> i32
      %y = arith.sitofp %x : i32 to f32
      scf.yield %y : f32
    }
    case 3 {
      %x = llvm.load %place : !llvm.ptr -> i64
      %y = arith.sitofp %x : i64 to f32
      scf.yield %y : f32
    }
    default {
      scf.yield %half : f32
    }
    %z = arith.mulf %value, %half : f32
    %mine = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %z, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
