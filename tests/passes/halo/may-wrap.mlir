// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --halo %s | FileCheck %s

// Where the sum may wrap around between two threads, the neighbour's element is not the next one: the tile stays.
// CHECK-LABEL: func.func @row
// CHECK: unwarp.shared
// CHECK: unwarp.barrier
func.func @row
// CHECK-NOT: unwarp.shared
// CHECK-NOT: unwarp.barrier
// CHECK: arith.cmpi sge
// CHECK: scf.if
// CHECK: %[[AT:.*]] = llvm.getelementptr %arg1[
// CHECK: %[[LEFT:.*]] = arith.constant -4 : i64
// CHECK: %[[BEFORE:.*]] = llvm.getelementptr %[[AT]][%[[LEFT]]]
// CHECK: llvm.load %[[BEFORE]] {alignment = 4 : i64, unwarp.restrict = 1 : i32}
// CHECK: %[[OWN:.*]] = llvm.getelementptr %arg1[
// CHECK: %[[RIGHT:.*]] = arith.constant 4 : i64
// CHECK: %[[BEHIND:.*]] = llvm.getelementptr %[[OWN]][%[[RIGHT]]]
// CHECK: llvm.load %[[BEHIND]] {alignment = 4 : i64, unwarp.restrict = 1 : i32}
// CHECK: llvm.store {{.*}} {unwarp.restrict = 2
// CHECK-NOT: llvm.store
// CHECK-LABEL:
