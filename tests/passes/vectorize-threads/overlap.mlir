// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s
// RUN: %unwarp_opt --vectorize-threads --vectorize-threads %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {

// Each lane goes over a range of its own, which ends where an image ends. The lanes go together from the least lower bound to the
// greatest upper one: one element of %p for all of them, of %q those side by side; in the middle, where all lanes are at work, without
// masks. It is asked before whether they overlap enough, and whether indices wrap around in no iteration; else threads go one by one.

// CHECK-LABEL: func.func @products
// CHECK: %[[LOW:.*]] = llvm.freeze %{{.*}} : vector<16xi32>
// CHECK: %[[HIGH:.*]] = llvm.freeze %{{.*}} : vector<16xi32>
// CHECK: %[[SOME:.*]] = arith.cmpi slt, %[[LOW]], %[[HIGH]] : vector<16xi32>
// CHECK: %[[LENGTH:.*]] = arith.select %[[SOME]]
// CHECK: %[[FIRST_LOW:.*]] = "llvm.intr.vector.reduce.smin"(%[[LOW]])
// CHECK: %[[LAST_LOW:.*]] = "llvm.intr.vector.reduce.smax"(%[[LOW]])
// CHECK: %[[FIRST_HIGH:.*]] = "llvm.intr.vector.reduce.smin"(%[[HIGH]])
// CHECK: %[[LAST_HIGH:.*]] = "llvm.intr.vector.reduce.smax"(%[[HIGH]])
// CHECK: "llvm.intr.vector.reduce.add"
// CHECK: %[[ENOUGH:.*]] = arith.cmpi uge
// CHECK: scf.if
// CHECK: %[[A:.*]] = arith.minsi %[[LAST_LOW]], %[[LAST_HIGH]] : i32
// CHECK: %[[B:.*]] = arith.maxsi %[[A]], %[[FIRST_HIGH]] : i32
// CHECK: %[[HEAD:.*]] = scf.for %{{.*}} = %[[FIRST_LOW]] to %[[A]] step
// CHECK: arith.cmpi ult, %{{.*}}, %[[LENGTH]] : vector<16xi32>
// CHECK: llvm.load %{{.*}} -> f32
// CHECK: llvm.intr.masked.load
// CHECK: %[[MIDDLE:.*]] = scf.for %{{.*}} = %[[A]] to %[[B]] step {{.*}} iter_args(%{{.*}} = %[[HEAD]])
// CHECK-NOT: masked
// CHECK: llvm.load %{{.*}} -> f32
// CHECK: llvm.load %{{.*}} -> vector<16xf32>
// CHECK: scf.for %{{.*}} = %[[B]] to %[[LAST_HIGH]] step {{.*}} iter_args(%{{.*}} = %[[MIDDLE]])
// CHECK: llvm.intr.masked.load
// CHECK: } else {
// CHECK: scf.forall
// CHECK-NOT: unwarp.overlap
func.func @products(%small: i32, %large: i32, %p: !llvm.ptr, %q: !llvm.ptr, %o: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i32
    %away = arith.subi %ti, %large : i32
    %low = arith.maxsi %away, %zero : i32
    %high = arith.minsi %ti, %small : i32
    %sum = scf.for %k = %low to %high step %one iter_args(%s = %none) -> (f32) : i32 {
      %kl = arith.extsi %k : i32 to i64
      %pa = llvm.getelementptr %p[%kl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %a = llvm.load %pa : !llvm.ptr -> f32
      %d = arith.subi %ti, %k : i32
      %dl = arith.extsi %d : i32 to i64
      %qa = llvm.getelementptr %q[%dl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %b = llvm.load %qa : !llvm.ptr -> f32
      %m = arith.mulf %a, %b : f32
      %n = arith.addf %s, %m : f32
      scf.yield %n : f32
    }
    %tl = arith.index_cast %t : index to i64
    %mine = llvm.getelementptr %o[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Bounds that are one apart from lane to lane, as in a triangle of a matrix, overlap: nothing is asked, and all iterations but the
// last ones are without masks.
// CHECK-LABEL: func.func @lower_triangle
// CHECK-NOT: vector.reduce.add
// CHECK: %[[A:.*]] = arith.minsi
// CHECK: %[[B:.*]] = arith.maxsi %[[A]],
// CHECK-NEXT: arith.constant
// CHECK-NEXT: scf.for %{{.*}} = %[[A]] to %[[B]] step
// CHECK-NOT: masked
// CHECK: llvm.load %{{.*}} -> vector<16xf32>
// CHECK: scf.for %{{.*}} = %[[B]] to
// CHECK: llvm.intr.masked.load
// CHECK-NOT: scf.forall
// CHECK: return
func.func @lower_triangle(%n: i64, %p: !llvm.ptr, %o: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i32
    %tl = arith.index_cast %t : index to i64
    %high = arith.addi %ti, %one : i32
    %sum = scf.for %k = %zero to %high step %one iter_args(%s = %none) -> (f32) : i32 {
      %kl = arith.extui %k : i32 to i64
      %row = arith.muli %kl, %n : i64
      %pr = llvm.getelementptr %p[%row] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %pa = llvm.getelementptr %pr[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %a = llvm.load %pa : !llvm.ptr -> f32
      %m = arith.addf %s, %a : f32
      scf.yield %m : f32
    }
    %mine = llvm.getelementptr %o[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Bounds that each lane loads say nothing about whether ranges overlap: rows of a sparse matrix lie one after the other.
// CHECK-LABEL: func.func @loaded
// CHECK-NOT: vector.reduce.smin
// CHECK: return
func.func @loaded(%rows: !llvm.ptr, %p: !llvm.ptr, %o: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  scf.forall (%t) in (%c16) {
    %tl = arith.index_cast %t : index to i64
    %at = llvm.getelementptr %rows[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %low = llvm.load %at : !llvm.ptr -> i32
    %next = llvm.getelementptr %at[4] : (!llvm.ptr) -> !llvm.ptr, i8
    %high = llvm.load %next : !llvm.ptr -> i32
    %sum = scf.for %k = %low to %high step %one iter_args(%s = %none) -> (f32) : i32 {
      %kl = arith.extsi %k : i32 to i64
      %pa = llvm.getelementptr %p[%kl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %a = llvm.load %pa : !llvm.ptr -> f32
      %n = arith.addf %s, %a : f32
      scf.yield %n : f32
    }
    %mine = llvm.getelementptr %o[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// A range that the loop around decides is another one in each of its iterations: nothing can be asked before the lanes.
// CHECK-LABEL: func.func @triangle
// CHECK-NOT: vector.reduce.smin
// CHECK: return
func.func @triangle(%large: i32, %p: !llvm.ptr, %q: !llvm.ptr, %o: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i32
    %all = scf.for %j = %zero to %large step %one iter_args(%r = %none) -> (f32) : i32 {
      %away = arith.subi %ti, %j : i32
      %low = arith.maxsi %away, %zero : i32
      %sum = scf.for %k = %low to %large step %one iter_args(%s = %r) -> (f32) : i32 {
        %kl = arith.extsi %k : i32 to i64
        %pa = llvm.getelementptr %p[%kl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %a = llvm.load %pa : !llvm.ptr -> f32
        %n = arith.addf %s, %a : f32
        scf.yield %n : f32
      }
      scf.yield %sum : f32
    }
    %tl = arith.index_cast %t : index to i64
    %mine = llvm.getelementptr %o[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %all, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
