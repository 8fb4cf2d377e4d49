// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread gets memory for its variables; a holder outside says where that of the running thread is, at the start of each loop over threads
// that barrier lowering makes.
// RUN: %unwarp_opt --variables %s | FileCheck %s
// RUN: %unwarp_opt --variables --lower-barriers %s | FileCheck %s --check-prefix=PHASES
// RUN: sed 's/ attributes {unwarp.variables}//' %s | %unwarp_opt --variables | FileCheck %s --check-prefix=AS-IT-WAS
// RUN: %unwarp_opt --variables %s | %unwarp_opt --variables | FileCheck %s

// CHECK-LABEL: func.func @kernel
// CHECK:         %[[HOLDER:.*]] = llvm.alloca %{{.*}} x !llvm.ptr {{.*}}unwarp.holder
// CHECK:         llvm.call @__unwarp_declare_variable(%[[HOLDER]], %{{.*}}, %{{.*}})
// CHECK:         scf.forall
// CHECK:           %[[MEMORY:.*]] = llvm.alloca {{.*}} x i32
// CHECK-NEXT:      llvm.store %[[MEMORY]], %[[HOLDER]]
// CHECK-NOT:       __unwarp_declare_variable
// CHECK:           %[[VALUE:.*]] = func.call @get
// CHECK-NEXT:      llvm.store %[[VALUE]], %[[MEMORY]] : i32
// CHECK:           unwarp.barrier

// PHASES-LABEL: func.func @kernel
// PHASES:         %[[HOLDER:.*]] = llvm.alloca %{{.*}} x !llvm.ptr
// PHASES:         %[[SLOT:.*]] = "unwarp.slot"
// PHASES:         scf.forall (%[[I:.*]]) {{=|in}}
// PHASES:           llvm.getelementptr %[[SLOT]]
// PHASES:           llvm.store %{{.*}}, %[[HOLDER]]
// PHASES:           call @get
// PHASES:         scf.forall (%[[I:.*]]) {{=|in}}
// PHASES:           %[[OWN:.*]] = llvm.getelementptr %[[SLOT]]
// PHASES-NEXT:      llvm.store %[[OWN]], %[[HOLDER]]
// PHASES:           call @put

// AS-IT-WAS:       call @__unwarp_declare_variable
// AS-IT-WAS:       call @__unwarp_set_variable.0
module attributes {unwarp.variables} {
  llvm.func @__unwarp_declare_variable(!llvm.ptr, i64, i32)
  llvm.func @__unwarp_set_variable.0(!llvm.ptr, i32)
  func.func private @get(index) -> i32
  func.func private @put(index)
  func.func @kernel(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %number = arith.constant 0 : i64
    %none = arith.constant 0 : i32
    scf.forall (%i) in (%n) {
      %one = arith.constant 1 : i64
      %memory = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
      llvm.call @__unwarp_declare_variable(%memory, %number, %none) : (!llvm.ptr, i64, i32) -> ()
      %value = func.call @get(%i) : (index) -> i32
      llvm.call @__unwarp_set_variable.0(%memory, %value) : (!llvm.ptr, i32) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
      func.call @put(%i) : (index) -> ()
    } {mapping = [#gpu.thread<x>]}
    return
  }
}
