// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --no-wrap-versions %s | FileCheck %s

// if (x >= 0 && x < n) a[x]: x = i - radius is asked about as an integer with sign alone. Without one it would not fit in any launch.
// CHECK-LABEL: func.func @difference
// CHECK-NOT: cmpi ule
// CHECK: arith.cmpi sge, %{{.*}}, %c-2147483648
// CHECK-NOT: cmpi ule
// CHECK: scf.if
// CHECK: arith.subi %{{.*}}, %{{.*}} overflow<nsw> : i32
func.func @difference(%threads: index, %radius: i32, %n: i32, %p: !llvm.ptr) {
  %none = arith.constant -1 : i32
  scf.forall (%b) in (%threads) {
    scf.forall (%t) in (%threads) {
      %ti = arith.index_castui %t : index to i32
      %x = arith.subi %ti, %radius : i32
      %after = arith.cmpi sgt, %x, %none : i32
      %before = arith.cmpi slt, %x, %n : i32
      %inside = arith.andi %after, %before : i1
      scf.if %inside {
        %wide = arith.extui %x : i32 to i64
        %to = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %ti, %to : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// So is a sum with a parameter.
// CHECK-LABEL: func.func @parameter
// CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
func.func @parameter(%threads: index, %from: i32, %n: i32, %p: !llvm.ptr) {
  %none = arith.constant -1 : i32
  scf.forall (%b) in (%threads) {
    scf.forall (%t) in (%threads) {
      %ti = arith.index_castui %t : index to i32
      %x = arith.addi %ti, %from : i32
      %after = arith.cmpi sgt, %x, %none : i32
      scf.if %after {
        %wide = arith.extui %x : i32 to i64
        %to = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %ti, %to : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// What no comparison takes for one with sign is asked about as it is used.
// CHECK-LABEL: func.func @unsigned
// CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nuw> : i32
func.func @unsigned(%threads: index, %from: i32, %p: !llvm.ptr) {
  scf.forall (%b) in (%threads) {
    scf.forall (%t) in (%threads) {
      %ti = arith.index_castui %t : index to i32
      %x = arith.addi %ti, %from : i32
      %wide = arith.extui %x : i32 to i64
      %to = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %ti, %to : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// A difference that only an address uses, as an integer without sign: tile[i - first], for the threads from first on. Nor does a sum
// with what the launch gives below zero fit.
// CHECK-LABEL: func.func @addresses
// CHECK: arith.subi %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
func.func @addresses(%threads: index, %first: i32, %width: i32, %p: !llvm.ptr) {
  %opposite = arith.constant -2 : i32
  scf.forall (%b) in (%threads) {
    scf.forall (%t) in (%threads) {
      %ti = arith.index_castui %t : index to i32
      %x = arith.subi %ti, %first : i32
      %half = arith.divsi %width, %opposite : i32
      %y = arith.addi %ti, %half : i32
      %before = arith.cmpi uge, %ti, %first : i32
      scf.if %before {
        %wide = arith.extui %x : i32 to i64
        %to = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %ti, %to : i32, !llvm.ptr
        %wide2 = arith.extui %y : i32 to i64
        %to2 = llvm.getelementptr %p[%wide2] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %ti, %to2 : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
