// RUN: %unwarp_opt --split-inner-blocks %s | FileCheck %s

// One loop stays where it has no barrier, where only the end of the data is asked about, where the sum rises and falls along a dimension, where
// threads are too far apart to rule out that a sum wraps around twice, where the limit is another one for each block, and where what is
// compared is the thread's own index, or a small unsigned limit is a large integer.
// CHECK-NOT: unwarp.inner

func.func @no_barrier(%blocks: index, %n: i32, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.forall (%b) in (%blocks) {
    %first = arith.index_castui %b : index to i32
    scf.forall (%x) in (%c8) {
      %xi = arith.index_castui %x : index to i32
      %at = arith.addi %first, %xi : i32
      %start = arith.cmpi sgt, %at, %zero : i32
      %end = arith.cmpi slt, %at, %n : i32
      %in = arith.andi %start, %end : i1
      scf.if %in {
        llvm.store %v, %p : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @end_alone(%blocks: index, %n: i32, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.forall (%b) in (%blocks) {
    %first = arith.index_castui %b : index to i32
    scf.forall (%x) in (%c8) {
      %xi = arith.index_castui %x : index to i32
      %at = arith.addi %first, %xi : i32
      "unwarp.barrier"() {level = "block"} : () -> ()
      %own = arith.cmpi sgt, %xi, %zero : i32
      %end = arith.cmpi slt, %at, %n : i32
      %in = arith.andi %own, %end : i1
      scf.if %in {
        llvm.store %v, %p : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @rises_and_falls(%blocks: index, %n: i32, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %two = arith.constant 2 : i32
  %zero = arith.constant 0 : i32
  scf.forall (%b) in (%blocks) {
    %first = arith.index_castui %b : index to i32
    scf.forall (%x) in (%c8) {
      %xi = arith.index_castui %x : index to i32
      %down = arith.subi %first, %xi : i32
      %up = arith.muli %xi, %two : i32
      %at = arith.addi %down, %up : i32
      "unwarp.barrier"() {level = "block"} : () -> ()
      %start = arith.cmpi sgt, %at, %zero : i32
      %end = arith.cmpi slt, %at, %n : i32
      %in = arith.andi %start, %end : i1
      scf.if %in {
        llvm.store %v, %p : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @far_apart(%blocks: index, %n: i32, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %far = arith.constant 4194304 : i32
  %zero = arith.constant 0 : i32
  scf.forall (%b) in (%blocks) {
    %first = arith.index_castui %b : index to i32
    scf.forall (%x) in (%c8) {
      %xi = arith.index_castui %x : index to i32
      %wide = arith.muli %xi, %far : i32
      %at = arith.addi %first, %wide : i32
      "unwarp.barrier"() {level = "block"} : () -> ()
      %start = arith.cmpi sgt, %at, %zero : i32
      %end = arith.cmpi slt, %at, %n : i32
      %in = arith.andi %start, %end : i1
      scf.if %in {
        llvm.store %v, %p : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @limit_of_block(%blocks: index, %n: i32, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.forall (%b) in (%blocks) {
    %first = arith.index_castui %b : index to i32
    %limit = arith.subi %n, %first : i32
    scf.forall (%x) in (%c8) {
      %xi = arith.index_castui %x : index to i32
      %at = arith.addi %first, %xi : i32
      "unwarp.barrier"() {level = "block"} : () -> ()
      %start = arith.cmpi sgt, %at, %zero : i32
      %end = arith.cmpi slt, %at, %limit : i32
      %in = arith.andi %start, %end : i1
      scf.if %in {
        llvm.store %v, %p : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @large_unsigned(%blocks: index, %n: i32, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %large = arith.constant -5 : i32
  scf.forall (%b) in (%blocks) {
    %first = arith.index_castui %b : index to i32
    scf.forall (%x) in (%c8) {
      %xi = arith.index_castui %x : index to i32
      %at = arith.addi %first, %xi : i32
      "unwarp.barrier"() {level = "block"} : () -> ()
      %start = arith.cmpi ult, %at, %large : i32
      %end = arith.cmpi slt, %at, %n : i32
      %in = arith.andi %start, %end : i1
      scf.if %in {
        llvm.store %v, %p : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
