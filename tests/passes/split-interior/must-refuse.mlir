// RUN: %unwarp_opt --split-interior %s | FileCheck %s

// A branch that only few threads take, one whose condition is loaded, and one without results, which tighten makes bounds.

// CHECK-LABEL: func.func @first
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
// CHECK-LABEL: func.func @loaded
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
// CHECK-LABEL: func.func @plain
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
func.func @first(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %tl = arith.index_cast %t : index to i64
    %b = llvm.getelementptr %q[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %in = arith.cmpi eq, %t, %c0 : index
    %w = scf.if %in -> (f32) {
      %x = llvm.load %p : !llvm.ptr -> f32
      scf.yield %x : f32
    } else {
      scf.yield %v : f32
    }
    llvm.store %w, %b : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @loaded(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr, %v: f32, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %tl = arith.index_cast %t : index to i64
    %b = llvm.getelementptr %q[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %l = llvm.load %b : !llvm.ptr -> i32
    %in = arith.cmpi slt, %l, %n : i32
    %w = scf.if %in -> (f32) {
      %x = llvm.load %p : !llvm.ptr -> f32
      scf.yield %x : f32
    } else {
      scf.yield %v : f32
    }
    llvm.store %w, %b : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @plain(%threads: index, %n: index, %q: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %tl = arith.index_cast %t : index to i64
    %b = llvm.getelementptr %q[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %in = arith.cmpi slt, %t, %n : index
    scf.if %in {
      llvm.store %v, %b : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
