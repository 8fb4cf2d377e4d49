// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --no-wrap-versions %s | FileCheck %s

// A launch in place asks beside whether it may run, and goes where one goes that may not. Parameters and shape are the host's values.

// CHECK-LABEL: llvm.func @host
// CHECK: %[[MAY:.*]] = llvm.icmp "ne"
// CHECK: %[[LAST:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: %[[LEAST:.*]] = arith.cmpi sge, %{{.*}}, %c-2147483648
// CHECK: %[[MOST:.*]] = arith.cmpi sle, %[[LAST]], %c2147483647
// CHECK: %[[FITS:.*]] = arith.andi
// CHECK: %[[ALL:.*]] = arith.andi %[[MAY]], %[[FITS]] : i1
// CHECK: scf.if %[[ALL]]
// CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK: } else {
// CHECK-NEXT: llvm.call @uwrt_launch_elsewhere
llvm.func @uwrt_launch_begin() -> !llvm.ptr
llvm.func @uwrt_launch_elsewhere()
llvm.func @host(%base: i32, %p: !llvm.ptr) {
  %null = llvm.mlir.zero : !llvm.ptr
  %dims = llvm.call @uwrt_launch_begin() : () -> !llvm.ptr
  %may = llvm.icmp "ne" %dims, %null : !llvm.ptr
  scf.if %may {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    scf.forall (%b) in (%threads) {
      scf.forall (%t) in (%threads) {
        %ti = arith.index_castui %t : index to i32
        %i = arith.addi %ti, %base : i32
        %wide = arith.extsi %i : i32 to i64
        %to = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %ti, %to : i32, !llvm.ptr
      } {mapping = [#gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
  } else {
    llvm.call @uwrt_launch_elsewhere() : () -> ()
  } {unwarp.launch}
  llvm.return
}
