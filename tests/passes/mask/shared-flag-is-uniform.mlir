// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads read one address between two barriers: they read the same, or race with a write. Under a divergent condition, through a
// volatile load or from an address of its own a thread may read something else.
// RUN: %unwarp_opt --mask %s | FileCheck %s

func.func @flag(%flag: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    %v = llvm.load %flag : !llvm.ptr -> i1
    scf.if %v {
      func.call @a() : () -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @volatile(%flag: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    %v = llvm.load volatile %flag : !llvm.ptr -> i1
    scf.if %v {
      func.call @a() : () -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @own_address(%flag: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    %j = arith.index_cast %i : index to i64
    %p = llvm.getelementptr %flag[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %v = llvm.load %p : !llvm.ptr -> i1
    scf.if %v {
      func.call @a() : () -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @a()

// CHECK-LABEL: @flag
// CHECK:       scf.if
// CHECK-NEXT:    func.call @a
// CHECK-NEXT:    "unwarp.barrier"{{.*}}
// CHECK-NEXT:  }
// CHECK-LABEL: @volatile
// CHECK:       scf.if
// CHECK-NEXT:    func.call @a
// CHECK-NEXT:  }
// CHECK:       "unwarp.barrier"
// CHECK-LABEL: @own_address
// CHECK:       scf.if
// CHECK-NEXT:    func.call @a
// CHECK-NEXT:  }
// CHECK:       "unwarp.barrier"
