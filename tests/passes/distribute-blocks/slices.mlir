// RUN: %unwarp_opt --distribute-blocks %s | FileCheck %s
// RUN: %unwarp_opt --distribute-blocks --distribute-blocks %s | FileCheck %s

// The grid loop runs over slices of blocks, the loop over threads over the rows and columns of one.

// CHECK-LABEL: func.func @loop_in_a_thread
// CHECK: %[[BOTH:.*]] = llvm.call @uwrt_slices
// CHECK: %[[SLICES:.*]] = arith.muli
// CHECK: scf.forall (%[[BLOCK:.*]], %[[OWN:.*]]) in (%arg0, %[[SLICES]])
// CHECK: %[[NUMBER:.*]] = arith.index_cast %[[BLOCK]] : index to i64
// CHECK: llvm.call @uwrt_enter_block(%{{.*}}, %[[NUMBER]])
// CHECK: arith.remui %[[OWN]],
// CHECK: %[[FIRST_Y:.*]]:2 = "unwarp.slice"(%arg1, %{{.*}}, %{{.*}}) {group = 1 : i64}
// CHECK: %[[FIRST_X:.*]]:2 = "unwarp.slice"(%arg2, %{{.*}}, %{{.*}}) {group = 16 : i64}
// CHECK: scf.forall (%{{.*}}, %[[Y:.*]], %[[X:.*]]) {{(= .* to|in)}} (%{{[^,]*}}, %[[FIRST_Y]]#1, %[[FIRST_X]]#1) {
// CHECK-DAG: arith.addi %[[FIRST_Y]]#0, %[[Y]] : index
// CHECK-DAG: %[[OWN_X:.*]] = arith.addi %[[FIRST_X]]#0, %[[X]] : index
// CHECK: arith.index_castui %[[OWN_X]]
// CHECK: mapping = [#gpu.block<x>, #gpu.block<linear_dim_0>]
// CHECK-NOT: uwrt_slices
func.func @loop_in_a_thread(%blocks: index, %rows: index, %columns: index, %dims: !llvm.ptr, %p: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%block) in (%blocks) {
    %number = arith.index_cast %block : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %rows, %columns) {
      %xi = arith.index_castui %x : index to i32
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %xi) -> i32 {
        %t = arith.muli %s, %xi : i32
        scf.yield %t : i32
      }
      %at = llvm.getelementptr %p[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %sum, %at : i32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr
