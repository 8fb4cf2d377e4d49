// RUN: %unwarp_opt --split-addresses --simplify{after=privatize-atomics} %s | FileCheck %s
// RUN: %unwarp_opt --split-addresses --split-addresses --simplify{after=privatize-atomics} %s | FileCheck %s

// What is the same for a row stands apart from the thread's index, also where the row is chosen.
// CHECK-LABEL: func.func @north
// CHECK: scf.forall (%[[X:.*]]) {{=|in}}
// CHECK: %[[ROW:.*]] = arith.select %{{.*}} : index
// CHECK: %[[AT:.*]] = arith.addi %[[ROW]], %[[X]] : index
// CHECK: %[[WIDE:.*]] = arith.index_cast %[[AT]] : index to i64
// CHECK: llvm.getelementptr %{{.*}}[%[[WIDE]]]
func.func @north(%n: index, %row: i32, %width: i32, %top: i1, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%x) in (%n) {
    %xi = arith.index_castui %x : index to i32
    %own = arith.addi %row, %xi overflow<nsw> : i32
    %above = arith.subi %own, %width overflow<nsw> : i32
    %at = arith.select %top, %own, %above : i32
    %wide = arith.extsi %at : i32 to i64
    %address = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %address : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// A sum of 32 bits that may wrap around stays one.
// CHECK-LABEL: func.func @wraps
// CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %{{.*}} : i32
// CHECK: %[[WIDE:.*]] = arith.extui %[[SUM]] : i32 to i64
// CHECK: llvm.getelementptr %{{.*}}[%[[WIDE]]]
func.func @wraps(%n: index, %start: i32, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%x) in (%n) {
    %xi = arith.index_castui %x : index to i32
    %at = arith.addi %start, %xi : i32
    %wide = arith.extui %at : i32 to i64
    %address = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %address : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// With a sign, a sum that is exact without one only stays too.
// CHECK-LABEL: func.func @other_flag
// CHECK: %[[SUM:.*]] = arith.addi %{{.*}} : i32
// CHECK: arith.extsi %[[SUM]] : i32 to i64
func.func @other_flag(%n: index, %start: i32, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%x) in (%n) {
    %xi = arith.index_castui %x : index to i32
    %at = arith.addi %start, %xi overflow<nuw> : i32
    %wide = arith.extsi %at : i32 to i64
    %address = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %address : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The second of the results of a branch is a part of the sum like any other value.
// CHECK-LABEL: func.func @second_result
// CHECK: %[[TWO:.*]]:2 = scf.if
// CHECK: %[[PART:.*]] = arith.index_cast %[[TWO]]#1 : i32 to index
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: %[[WIDE:.*]] = arith.index_cast %[[AT]] : index to i64
// CHECK: llvm.getelementptr %{{.*}}[%[[WIDE]]]
func.func @second_result(%n: index, %start: i32, %limit: f32, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  scf.forall (%x) in (%n) {
    %xi = arith.index_castui %x : index to i32
    %y = llvm.load %p : !llvm.ptr -> f32
    %less = arith.cmpf olt, %y, %limit : f32
    %both:2 = scf.if %less -> (f32, i32) {
      llvm.store %v, %p : f32, !llvm.ptr
      %first = llvm.load %p : !llvm.ptr -> i32
      %again = llvm.load %p : !llvm.ptr -> f32
      scf.yield %again, %first : f32, i32
    } else {
      scf.yield %y, %one : f32, i32
    }
    %at = arith.addi %both#1, %xi overflow<nsw> : i32
    %wide = arith.extsi %at : i32 to i64
    %address = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %both#0, %address : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
