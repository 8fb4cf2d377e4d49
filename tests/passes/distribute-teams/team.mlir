// RUN: %unwarp_opt --distribute-teams %s | FileCheck %s
// RUN: %unwarp_opt --distribute-teams --distribute-teams %s | FileCheck %s
// RUN: %unwarp_opt --distribute-teams --lower-barriers %s | FileCheck %s --check-prefix=LOWERED

// One version for a team, each worker with a slice of each block's threads, and one as it was. The barrier of the block is marked; the
// one that orders nothing is not. Shared memory stands outside of the team's loop; blocks wait for each other before they use it again.

// CHECK-LABEL: func.func @iterations
// CHECK: %[[TEAM:.*]] = llvm.call @uwrt_team(
// CHECK: %[[WORKERS:.*]] = arith.index_cast %[[TEAM]]
// CHECK: scf.if
// CHECK: "unwarp.shared"(%{{.*}}) {{{.*}}unwarp.team}
// CHECK: scf.forall (%{{.*}}) {{(= .* to|in)}} (%[[WORKERS]])
// CHECK: llvm.call @uwrt_team_place
// CHECK: %[[SLICE_Y:.*]]:2 = "unwarp.slice"({{.*}}) {group = 1 : i64}
// CHECK: %[[SLICE_X:.*]]:2 = "unwarp.slice"({{.*}}) {group = 32 : i64}
// CHECK: scf.for %[[BLOCK:.*]] = %{{.*}} to %{{.*}} step
// CHECK: arith.cmpi ne, %[[BLOCK]]
// CHECK: "unwarp.barrier"() {level = "unwarp.team"}
// CHECK: arith.index_cast %[[BLOCK]] : index to i64
// CHECK: llvm.call @uwrt_enter_block
// CHECK: scf.forall (%{{.*}}, %[[Y:.*]], %[[X:.*]]) {{(= .* to|in)}} (%{{[^,]*}}, %[[SLICE_Y]]#1, %[[SLICE_X]]#1) {
// CHECK-DAG: arith.addi %[[SLICE_Y]]#0, %[[Y]] : index
// CHECK-DAG: arith.addi %[[SLICE_X]]#0, %[[X]] : index
// CHECK: "unwarp.barrier"() {level = "block", unwarp.team}
// CHECK: "unwarp.barrier"() {level = "block", unwarp.swap}
// CHECK: } else {
// CHECK-NOT: unwarp.team
// CHECK: "unwarp.barrier"() {level = "block"}
// CHECK: mapping = [#gpu.block<x>], unwarp.team
// CHECK-NOT: uwrt_team(

// LOWERED-LABEL: func.func @iterations
// LOWERED: scf.forall {{.*}} {
// LOWERED: mapping = [#gpu.thread<
// LOWERED-NEXT: "unwarp.barrier"() {level = "unwarp.team"}
// LOWERED: scf.forall {{.*}} {
// LOWERED: } else {
// LOWERED-NOT: unwarp.barrier
func.func @iterations(%blocks: index, %rows: index, %columns: index, %dims: !llvm.ptr, %p: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = arith.constant 4096 : i64
  scf.forall (%block) in (%blocks) {
    %number = arith.index_cast %block : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %rows, %columns) {
      %xi = arith.index_castui %x : index to i32
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s0 = %xi) -> i32 {
        %t = arith.muli %s0, %xi : i32
        scf.yield %t : i32
      }
      %own = llvm.getelementptr %s[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %sum, %own : i32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %other = llvm.getelementptr %s[%sum] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %other : !llvm.ptr -> i32
      %at = llvm.getelementptr %p[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %v, %at : i32, !llvm.ptr
      scf.for %i = %c0 to %n step %c1 {
        %old = llvm.load %at : !llvm.ptr -> i32
        %new = arith.addi %old, %v : i32
        llvm.store %new, %at : i32, !llvm.ptr
        "unwarp.barrier"() {level = "block", unwarp.swap} : () -> ()
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr
