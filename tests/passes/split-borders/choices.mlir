// RUN: %unwarp_opt --split-borders %s | FileCheck %s
// RUN: %unwarp_opt --split-borders --vectorize-threads %s | FileCheck %s --check-prefix=LANES

module attributes {unwarp.register_bytes = 32 : i64} {

// What is chosen by a condition that is constant in the middle is one of the two values there, and so is what is computed from the condition
// as a number: passes that ask how values go from thread to thread see the thread's index. Lanes load the index's neighbours side by side.
// CHECK-LABEL: func.func @chosen
// CHECK: scf.forall
// CHECK: arith.cmpi
// CHECK: arith.select
// CHECK: unwarp.fallback
// CHECK: scf.forall
// CHECK-NOT: arith.cmpi
// CHECK-NOT: arith.extui
// CHECK-NOT: arith.andi
// CHECK: arith.select %arg2,
// CHECK-NOT: arith.select
// CHECK: } {mapping
// LANES-LABEL: func.func @chosen
// LANES: llvm.load %{{.*}} -> vector<16xf32>
// LANES-NOT: masked.gather
// LANES: return
func.func @chosen(%count: index, %columns: i32, %some: i1, %n: i32, %p: !llvm.ptr, %o: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  scf.forall (%t) in (%count) {
    %wide = arith.index_cast %t : index to i64
    %x = arith.trunci %wide overflow<nsw, nuw> : i64 to i32
    %later = arith.cmpi ne, %x, %zero : i32
    %number = arith.extui %later : i1 to i32
    %column = arith.select %later, %x, %columns : i32
    %both = arith.andi %later, %some : i1
    %from = arith.select %both, %zero, %one : i32
    %sum = scf.for %k = %from to %n step %one iter_args(%s = %none) -> (f32) : i32 {
      %row = arith.addi %k, %number : i32
      %i = arith.addi %row, %column : i32
      %il = arith.extsi %i : i32 to i64
      %at = llvm.getelementptr %p[%il] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %at : !llvm.ptr -> f32
      %square = arith.mulf %v, %v : f32
      %more = arith.addf %s, %square : f32
      scf.yield %more : f32
    }
    %to = llvm.getelementptr %o[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
