// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --no-wrap-versions --simplify %s | FileCheck %s
// RUN: %unwarp_opt --no-wrap-versions --no-wrap-versions --simplify %s | FileCheck %s

// The index of a thread in its grid, used with a sign: the launch asks for the largest one, and the sums get their flags. For a launch
// with more threads the kernel's plain version runs.

// CHECK-LABEL: func.func @with_sign
// CHECK: %[[BLOCKS:.*]] = arith.index_castui %arg0 : i32 to index
// CHECK: %[[LAST:.*]] = arith.subi %[[BLOCKS]], %c1 : index
// CHECK: %[[THREADS:.*]] = arith.index_castui %arg1 : i32 to index
// CHECK: %[[BEFORE:.*]] = arith.muli %[[LAST]], %[[THREADS]] : index
// CHECK: arith.cmpi ule, %[[BEFORE]], %c2147483647 : index
// CHECK: %[[OWN:.*]] = arith.subi %[[THREADS]], %c1 : index
// CHECK: %[[NUMBER:.*]] = arith.addi %[[BEFORE]], %[[OWN]] : index
// CHECK: arith.cmpi ule, %[[NUMBER]], %c2147483647 : index
// CHECK: scf.if
// CHECK: scf.forall
// CHECK: arith.muli %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK: } else {
// CHECK: llvm.call @uwrt_launch_plain
// CHECK-NOT: scf.if
// CHECK: return
func.func @with_sign(%grid: i32, %width: i32, %n: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %blocks = arith.index_castui %grid : i32 to index
  %threads = arith.index_castui %width : i32 to index
  scf.forall (%b) in (%blocks) {
    %block = arith.index_castui %b : index to i32
    %first = arith.muli %block, %width : i32
    scf.forall (%t) in (%threads) {
      %ti = arith.index_castui %t : index to i32
      %i = arith.addi %first, %ti : i32
      %in = arith.cmpi slt, %i, %n : i32
      scf.if %in {
        %wide = arith.extsi %i : i32 to i64
        %to = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %n, %to : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Without one there is room for twice as many.
// CHECK-LABEL: func.func @unsigned
// CHECK: arith.cmpi ule, %{{.*}}, %c4294967295 : index
// CHECK: scf.if
// CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nuw> : i32
func.func @unsigned(%grid: i32, %width: i32, %n: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %blocks = arith.index_castui %grid : i32 to index
  %threads = arith.index_castui %width : i32 to index
  scf.forall (%b) in (%blocks) {
    %block = arith.index_castui %b : index to i32
    %first = arith.muli %block, %width : i32
    scf.forall (%t) in (%threads) {
      %ti = arith.index_castui %t : index to i32
      %i = arith.addi %first, %ti : i32
      %in = arith.cmpi ult, %i, %n : i32
      scf.if %in {
        %wide = arith.extui %i : i32 to i64
        %to = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %n, %to : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Of a known shape nothing is asked.
// CHECK-LABEL: func.func @known
// CHECK-NOT: arith.cmpi ule
// CHECK: scf.forall
// CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK-NOT: uwrt_launch_plain
// CHECK: return
func.func @known(%n: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %threads = arith.constant 256 : index
  %blocks = arith.constant 1000 : index
  %width = arith.constant 256 : i32
  scf.forall (%b) in (%blocks) {
    %block = arith.index_castui %b : index to i32
    %first = arith.muli %block, %width : i32
    scf.forall (%t) in (%threads) {
      %ti = arith.index_castui %t : index to i32
      %i = arith.addi %first, %ti : i32
      %in = arith.cmpi slt, %i, %n : i32
      scf.if %in {
        llvm.store %i, %p : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// The low 24 bits of a block's index are all of it in most grids: __umul24(blockIdx.x, blockDim.x) + threadIdx.x + 1.
// CHECK-LABEL: func.func @low_bits
// CHECK: %[[LAST:.*]] = arith.subi %{{.*}}, %c1 : index
// CHECK: %[[LEAST:.*]] = arith.minsi %[[LAST]], %c16777215 : index
// CHECK: arith.muli %[[LEAST]], %{{.*}} : index
// CHECK: scf.if
// CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nuw> : i32
func.func @low_bits(%grid: i32, %width: i32, %p: !llvm.ptr) {
  %mask = arith.constant 16777215 : i32
  %one = arith.constant 1 : i32
  %blocks = arith.index_castui %grid : i32 to index
  %threads = arith.index_castui %width : i32 to index
  scf.forall (%b) in (%blocks) {
    %bi = arith.index_castui %b : index to i32
    %low = arith.andi %bi, %mask : i32
    %first = arith.muli %low, %width : i32
    scf.forall (%t) in (%threads) {
      %ti = arith.index_castui %t : index to i32
      %i = arith.addi %first, %ti : i32
      %next = arith.addi %i, %one : i32
      %wide = arith.extui %next : i32 to i64
      %to = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %ti, %to : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
