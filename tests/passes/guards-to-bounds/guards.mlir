// RUN: %unwarp_opt --guards-to-bounds %s | FileCheck %s
// RUN: %unwarp_opt --guards-to-bounds --guards-to-bounds %s | FileCheck %s

// A guard of several comparisons bounds both dimensions from both sides; what is no bound stays.

// CHECK-LABEL: func.func @interior
// CHECK-DAG: %[[END:.*]] = arith.subi %{{.*}}, %{{.*}} : index
// CHECK: %[[X1:.*]] = arith.minsi %c16, %[[END]] : index
// CHECK: %[[X0:.*]] = arith.maxsi %c0, %{{.*}} : index
// CHECK: %[[Y0:.*]] = arith.maxsi %c0, %{{.*}} : index
// CHECK: scf.forall (%{{.*}}, %{{.*}}) = (%[[Y0]], %[[X0]]) to (%c16, %[[X1]])
// CHECK-NOT: scf.if
// CHECK: llvm.store
// CHECK: } {mapping
func.func @interior(%base: i32, %n: i32, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  %false = arith.constant false
  scf.forall (%y, %x) in (%c16, %c16) {
    %xi = arith.index_castui %x : index to i32
    %yi = arith.index_castui %y : index to i32
    %at = arith.addi %base, %xi overflow<nsw> : i32
    %below = arith.cmpi slt, %at, %n : i32
    %above = arith.cmpi sgt, %at, %zero : i32
    %both = arith.andi %below, %above : i1
    %row = arith.cmpi ne, %yi, %zero : i32
    %all = arith.select %both, %row, %false : i1
    scf.if %all {
      llvm.store %v, %p : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// The first thread of each row, on the else side of a disjunction; a comparison of bits is no bound.
// CHECK-LABEL: func.func @first
// CHECK: %[[X1:.*]] = arith.minsi %c16, %{{.*}} : index
// CHECK: %[[X0:.*]] = arith.maxsi %c0, %{{.*}} : index
// CHECK: scf.forall (%{{.*}}, %{{.*}}) = ({{%c0.*|0}}, %[[X0]]) to (%c16, %[[X1]])
// CHECK: scf.if
// CHECK: llvm.store
func.func @first(%k: i32, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.forall (%y, %x) in (%c16, %c16) {
    %xi = arith.index_castui %x : index to i32
    %yi = arith.index_castui %y : index to i32
    %other = arith.cmpi ne, %xi, %k : i32
    %bit = arith.xori %yi, %one : i32
    %odd = arith.cmpi ne, %bit, %zero : i32
    %out = arith.ori %other, %odd : i1
    scf.if %out {
    } else {
      llvm.store %v, %p : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// An unsigned comparison of what may lie below zero has two sides. What is below zero counts as more than 2^31, and it is asked at the
// launch whether the limit does not.
// CHECK-LABEL: func.func @unsigned_window
// CHECK: %[[SMALL:.*]] = arith.cmpi ule, %{{.*}}, %c2147483648 : index
// CHECK: scf.if %[[SMALL]]
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK-NOT: scf.if
// CHECK: } else {
// CHECK: llvm.call @uwrt_launch_plain
// CHECK: return
func.func @unsigned_window(%n: i32, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %minus = arith.constant -1 : i32
  scf.forall (%x) in (%c16) {
    %xi = arith.index_castui %x : index to i32
    %left = arith.addi %xi, %minus overflow<nsw> : i32
    %in = arith.cmpi ult, %left, %n : i32
    scf.if %in {
      llvm.store %v, %p : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
