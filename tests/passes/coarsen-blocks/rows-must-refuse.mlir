// RUN: %unwarp_opt --coarsen-blocks %s | FileCheck %s

// Shared memory, a position in the block that is used by itself, a stride that is not the block's width, a call, and a loop keep the
// blocks apart.
// CHECK-NOT: uwrt_max_workers

llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr
llvm.func @elsewhere(i32)

func.func @shared(%along: index, %dims: !llvm.ptr, %p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %four = arith.constant 4 : i32
  %size = arith.constant 64 : i64
  %one = arith.constant 1.0 : f32
  scf.forall (%bx) in (%along) {
    %number = arith.index_cast %bx : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %four : i32
    %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    llvm.store %one, %tile : f32, !llvm.ptr
    scf.forall (%x) in (%c16) {
      %xi = arith.index_castui %x : index to i32
      %gx = arith.addi %base, %xi : i32
      %address = llvm.getelementptr %p[%gx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %one, %address : f32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @place_in_block(%along: index, %dims: !llvm.ptr, %p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %four = arith.constant 4 : i32
  %size = arith.constant 64 : i64
  %one = arith.constant 1.0 : f32
  scf.forall (%bx) in (%along) {
    %number = arith.index_cast %bx : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %four : i32
    scf.forall (%x) in (%c16) {
      %xi = arith.index_castui %x : index to i32
      %gx = arith.addi %base, %xi : i32
      %own = llvm.getelementptr %p[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %was = llvm.load %own : !llvm.ptr -> f32
      %address = llvm.getelementptr %p[%gx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %one, %address : f32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @other_stride(%along: index, %dims: !llvm.ptr, %p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %four = arith.constant 4 : i32
  %size = arith.constant 64 : i64
  %one = arith.constant 1.0 : f32
  scf.forall (%bx) in (%along) {
    %number = arith.index_cast %bx : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %four : i32
    scf.forall (%x) in (%c16) {
      %xi = arith.index_castui %x : index to i32
      %gx = arith.addi %base, %xi : i32
      %twice = arith.addi %base, %gx : i32
      %far = llvm.getelementptr %p[%twice] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %was = llvm.load %far : !llvm.ptr -> f32
      %address = llvm.getelementptr %p[%gx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %one, %address : f32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @call(%along: index, %dims: !llvm.ptr, %p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %four = arith.constant 4 : i32
  %size = arith.constant 64 : i64
  %one = arith.constant 1.0 : f32
  scf.forall (%bx) in (%along) {
    %number = arith.index_cast %bx : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %four : i32
    scf.forall (%x) in (%c16) {
      %xi = arith.index_castui %x : index to i32
      %gx = arith.addi %base, %xi : i32
      llvm.call @elsewhere(%gx) : (i32) -> ()
      %address = llvm.getelementptr %p[%gx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %one, %address : f32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @loop(%along: index, %dims: !llvm.ptr, %p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %four = arith.constant 4 : i32
  %size = arith.constant 64 : i64
  %one = arith.constant 1.0 : f32
  scf.forall (%bx) in (%along) {
    %number = arith.index_cast %bx : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %four : i32
    scf.forall (%x) in (%c16) {
      %xi = arith.index_castui %x : index to i32
      %gx = arith.addi %base, %xi : i32
      scf.for %k = %c0 to %c16 step %c1 {
        llvm.store %one, %p : f32, !llvm.ptr
      }
      %address = llvm.getelementptr %p[%gx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %one, %address : f32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
