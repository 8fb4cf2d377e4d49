// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outside of thread loops there is one thread, which waits for nobody.
// RUN: %unwarp_opt --lower-barriers --simplify %s | FileCheck %s
func.func @kernel(%v: i32, %lane: i32, %active: i1) -> (i32, i32, i32) {
  "unwarp.barrier"() {level = "block"} : () -> ()
  %a = "unwarp.shuffle"(%v, %lane, %active) : (i32, i32, i1) -> i32
  %b = "unwarp.reduce"(%v, %active) {kind = "add", level = "block"} : (i32, i1) -> i32
  %c = "unwarp.match"(%v, %active) : (i32, i1) -> i32
  return %a, %b, %c : i32, i32, i32
}

// CHECK:      func.func @kernel(%[[V:.*]]: i32, %{{.*}}: i32, %[[ACTIVE:.*]]: i1)
// CHECK-DAG:  %[[SUM:.*]] = arith.select %[[ACTIVE]], %[[V]], %c0
// CHECK-DAG:  %[[SELF:.*]] = arith.extui %[[ACTIVE]]
// CHECK:      return %[[V]], %[[SUM]], %[[SELF]]
