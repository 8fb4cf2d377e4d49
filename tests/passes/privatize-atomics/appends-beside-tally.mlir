// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --privatize-atomics %s | FileCheck %s
// RUN: sed "s/ize, %one/ize, %i/" %s | %unwarp_opt --privatize-atomics | FileCheck --check-prefix=ALONE %s

// Where appends are gathered, what threads add to a total beside them can be gathered: it is shown that these are different objects.
// The result of the operation, while it is used, might tell others how far the block is.
// CHECK-LABEL: func.func @counts_and_appends
// CHECK-DAG: "unwarp.queue"(%arg1, %{{.*}}, %arg2)
// CHECK-DAG: "unwarp.tally"(%arg3)
// CHECK: return
// ALONE-NOT: unwarp.tally
func.func @counts_and_appends(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %total: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %sum = llvm.atomicrmw add %total, %i monotonic {unwarp.restrict = 3 : i64} : !llvm.ptr, i32
      %old = llvm.atomicrmw add %size, %one monotonic {unwarp.restrict = 1 : i64} : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to {unwarp.restrict = 2 : i64} : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
