// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {

// An index that differs from iteration to iteration is asked for its range over all iterations, in 64 bits, before the loop: the counter's corners.
// The threads may begin after 0.
// CHECK-LABEL: func.func @counted
// CHECK: scf.forall (%[[P:.*]]) {{(= .*|in)}} (
// CHECK: arith.addi %arg1, %{{.*}} : index
// CHECK: arith.extsi %arg3 : i32 to i64
// CHECK: arith.maxsi %{{.*}}, %{{.*}} : i64
// CHECK: %[[MOST:.*]] = arith.constant 2147483632 : i64
// CHECK: arith.cmpi sle, %{{.*}}, %[[MOST]] : i64
// CHECK: llvm.freeze
// CHECK: scf.if
// CHECK: scf.for %
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK: } else {
// CHECK: mapping = [#gpu.lane<x>]
func.func @counted(%n: i32, %first: index, %last: index, %m: i32, %p: !llvm.ptr, %out: !llvm.ptr) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x = arith.constant 0.5 : f32
  scf.forall (%t) = (%first) to (%last) step (1) {
    %ti = arith.index_cast %t : index to i32
    %sum = scf.for %k = %zero to %n step %one iter_args(%s = %x) -> (f32)  : i32 {
      %row = arith.muli %k, %m : i32
      %i = arith.addi %row, %ti : i32
      %wide = arith.extsi %i : i32 to i64
      %at = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %at : !llvm.ptr -> f32
      %a = arith.mulf %s, %y : f32
      %b = arith.addf %a, %x : f32
      scf.yield %b : f32
    }
    %to = arith.index_cast %t : index to i64
    %mine = llvm.getelementptr %out[%to] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// So is one that the loop carries and steps; one that it multiplies is not: a gather.
// CHECK-LABEL: func.func @carried
// CHECK: arith.divsi
// CHECK: scf.if
// CHECK: scf.for %
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK: masked.gather
func.func @carried(%n: index, %step: i32, %p: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %three = arith.constant 3 : i32
  %x = arith.constant 0.5 : f32
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i32
    %end:3 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x, %c = %ti, %d = %ti) -> (f32, i32, i32) {
      %wide = arith.extsi %c : i32 to i64
      %at = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %at : !llvm.ptr -> f32
      %other = arith.extsi %d : i32 to i64
      %there = llvm.getelementptr %p[%other] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %z = llvm.load %there : !llvm.ptr -> f32
      %a = arith.mulf %s, %y : f32
      %b = arith.addf %a, %z : f32
      %e = arith.mulf %b, %b : f32
      %f = arith.addf %e, %x : f32
      %g = arith.mulf %f, %b : f32
      %h = arith.addf %g, %x : f32
      %i = arith.mulf %h, %f : f32
      %l = arith.addf %i, %x : f32
      %next = arith.addi %c, %step : i32
      %times = arith.muli %d, %three : i32
      scf.yield %l, %next, %times : f32, i32, i32
    }
    %to = arith.index_cast %t : index to i64
    %mine = llvm.getelementptr %out[%to] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %end#0, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// A row's length times the difference of two numbers, and the lane's index beside it, may be more than 64 bits hold. So it is asked whether the
// product fits its own 32, and lanes load what is side by side.
// CHECK-LABEL: func.func @rows
// CHECK: arith.constant -2147483648 : i64
// CHECK: arith.constant 2147483647 : i64
// CHECK: llvm.freeze
// CHECK: scf.if
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK-NOT: masked.gather
// CHECK: return
func.func @rows(%n: i32, %right: i32, %m: i32, %p: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x = arith.constant 0.5 : f32
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i32
    %sum = scf.for %j = %zero to %n step %one iter_args(%s = %x) -> (f32)  : i32 {
      %far = arith.subi %right, %j : i32
      %row = arith.muli %m, %far : i32
      %i = arith.addi %row, %ti : i32
      %back = arith.subi %i, %j : i32
      %wide = arith.extsi %back : i32 to i64
      %at = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %at : !llvm.ptr -> f32
      %a = arith.mulf %s, %y : f32
      %b = arith.addf %a, %x : f32
      scf.yield %b : f32
    }
    %to = arith.index_cast %t : index to i64
    %mine = llvm.getelementptr %out[%to] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
