// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {

// The last threads of a row that begins somewhere in the block are some lanes of one more packet, under a mask; none goes alone.
// CHECK-LABEL: func.func @within
// CHECK: scf.forall
// CHECK-NOT: masked
// CHECK: llvm.load %{{.*}} -> vector<16xf32>
// CHECK: %[[LEFT:.*]] = arith.maxsi
// CHECK: %[[ONE:.*]] = arith.minsi %[[LEFT]],
// CHECK: scf.forall (%{{.*}}) {{(= .* to|in)}} (%[[ONE]])
// CHECK: %[[LANE:.*]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xi32>
// CHECK: %[[MASK:.*]] = arith.cmpi ult, %[[LANE]], %{{.*}} : vector<16xi32>
// CHECK: scf.for %
// CHECK: llvm.intr.masked.load %{{.*}}, %[[MASK]]
// CHECK: llvm.intr.masked.store %{{.*}}, %{{.*}}, %[[MASK]]
// CHECK-NOT: -> f32
// CHECK: return
func.func @within(%from: index, %to: index, %n: index, %p: !llvm.ptr, %o: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0.0 : f32
  scf.forall (%t) = (%from) to (%to) step (1) {
    %tl = arith.index_cast %t : index to i64
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %none) -> (f32) {
      %kl = arith.index_cast %k : index to i64
      %row = llvm.getelementptr %p[%kl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %pa = llvm.getelementptr %row[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %a = llvm.load %pa : !llvm.ptr -> f32
      %square = arith.mulf %a, %a : f32
      %more = arith.addf %square, %a : f32
      %m = arith.addf %s, %more : f32
      scf.yield %m : f32
    }
    %mine = llvm.getelementptr %o[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// A row that begins with the block ends with it, but for the grid's last block: those threads go one by one.
// CHECK-LABEL: func.func @whole
// CHECK-NOT: masked
// CHECK: llvm.load %{{.*}} -> f32
func.func @whole(%to: index, %n: index, %p: !llvm.ptr, %o: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0.0 : f32
  scf.forall (%t) in (%to) {
    %tl = arith.index_cast %t : index to i64
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %none) -> (f32) {
      %kl = arith.index_cast %k : index to i64
      %row = llvm.getelementptr %p[%kl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %pa = llvm.getelementptr %row[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %a = llvm.load %pa : !llvm.ptr -> f32
      %m = arith.addf %s, %a : f32
      scf.yield %m : f32
    }
    %mine = llvm.getelementptr %o[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
