// RUN: %unwarp_opt --distribute-blocks --licm --undistribute-blocks --simplify{after=form-warps} %s | FileCheck %s
// RUN: %unwarp_opt --distribute-blocks --licm --undistribute-blocks %s > %t.once
// RUN: %unwarp_opt --distribute-blocks --licm --undistribute-blocks --undistribute-blocks %s | diff %t.once -

// The loop of each thread is the launch's: blocks are whole again, as if there had been no slices.
// CHECK-LABEL: func.func @moved_out
// CHECK-SAME: %[[BLOCKS:[a-z0-9]*]]: index, %[[ROWS:[a-z0-9]*]]: index, %[[COLUMNS:[a-z0-9]*]]: index
// CHECK: scf.for %
// CHECK: scf.forall (%{{.*}}) {{(= .* to|in)}} (%[[BLOCKS]])
// CHECK-NEXT: scf.forall (%{{.*}}, %[[Y:.*]], %[[X:.*]]) in (1, %[[ROWS]], %[[COLUMNS]])
// CHECK-NEXT: arith.muli %[[Y]], %[[COLUMNS]]
// CHECK-NEXT: arith.addi %{{.*}}, %[[X]]
// CHECK: mapping = [#gpu.block<x>]}
// CHECK: return
func.func @moved_out(%blocks: index, %rows: index, %columns: index, %in: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  scf.forall (%block) in (%blocks) {
    scf.forall (%z, %y, %x) in (%c1, %rows, %columns) {
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %none) -> (i32) {
        %i64 = arith.index_cast %i : index to i64
        %from = llvm.getelementptr %in[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %t = arith.addi %s, %v : i32
        scf.yield %t : i32
      }
      %row = arith.muli %y, %columns : index
      %place = arith.addi %row, %x : index
      %number = arith.index_cast %place : index to i64
      %to = llvm.getelementptr %out[%number] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %sum, %to : i32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Each thread has a loop of its own yet: slices stay.
// CHECK-LABEL: func.func @stays
// CHECK-SAME: %[[BLOCKS:[a-z0-9]*]]: index
// CHECK: %[[SLICES:.*]] = arith.muli
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (%[[BLOCKS]], %[[SLICES]])
// CHECK: "unwarp.slice"
// CHECK: scf.for %
// CHECK: return
func.func @stays(%blocks: index, %rows: index, %columns: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  scf.forall (%block) in (%blocks) {
    scf.forall (%z, %y, %x) in (%c1, %rows, %columns) {
      %number = arith.index_cast %x : index to i64
      scf.for %i = %c0 to %n step %c1 {
        %to = llvm.getelementptr %out[%number] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %to : !llvm.ptr -> i32
        %t = arith.addi %v, %v : i32
        llvm.store %t, %to : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
