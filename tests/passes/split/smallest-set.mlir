// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Figure 6 of the paper: two values cross, not the three that are used after the barrier.
// RUN: %unwarp_opt --split %s | FileCheck %s
// With -cpuify=distribute, which the module says, all three.
// RUN: (echo "module attributes {unwarp.keep_all} {"; cat %s; echo "}") > %t.mlir
// RUN: %unwarp_opt --split %t.mlir | FileCheck --check-prefix=ALL %s
func.func @kernel(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  %c10 = arith.constant 10 : index
  scf.forall (%i) in (%c10) {
    %j = arith.index_cast %i : index to i64
    %k = arith.addi %j, %j : i64
    %px = llvm.getelementptr %data[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %py = llvm.getelementptr %data[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %px : !llvm.ptr -> f32
    %y = llvm.load %py : !llvm.ptr -> f32
    %a = arith.mulf %x, %x : f32
    %b = arith.mulf %y, %y : f32
    %c = arith.subf %x, %y : f32
    "unwarp.barrier"() {level = "block"} : () -> ()
    func.call @use(%a, %b, %c) : (f32, f32, f32) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @use(f32, f32, f32)

// CHECK-COUNT-2: unwarp.slot
// CHECK-NOT:     unwarp.slot
// CHECK:         scf.forall
// CHECK:           %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK-COUNT-2:   llvm.store
// CHECK-NOT:       llvm.store
// CHECK:         scf.forall
// CHECK-COUNT-2:   llvm.load %{{.*}} {unwarp.reload = "own"}
// CHECK:           arith.mulf
// CHECK:           arith.mulf
// CHECK:           arith.subf
// CHECK:           call @use
// CHECK-NOT:     unwarp.barrier

// ALL-COUNT-3: unwarp.slot
// ALL-NOT:     unwarp.slot
