// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is uniform already stays as it is.
// RUN: %unwarp_opt --mask %s | FileCheck %s
func.func @kernel(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  scf.forall (%i) in (%n) {
    scf.for %k = %c0 to %n step %c1 {
      %odd = arith.cmpi ne, %k, %c0 : index
      scf.if %odd {
        func.call @a() : () -> ()
        "unwarp.barrier"() {level = "block"} : () -> ()
      }
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @a()

// CHECK:      scf.for %
// CHECK-NEXT:   %[[ODD:.*]] = arith.cmpi
// CHECK-NEXT:   scf.if %[[ODD]] {
// CHECK-NEXT:     func.call @a
// CHECK-NEXT:     "unwarp.barrier"{{.*}}
// CHECK-NEXT:   }
// CHECK-NEXT: }

// A while, too, that all leave together.
// CHECK-LABEL: func.func @together
// CHECK-NOT: unwarp.reduce
// CHECK: return
func.func @together(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    scf.while : () -> () {
      %word = llvm.load %data invariant : !llvm.ptr -> i32
      %more = arith.trunci %word : i32 to i1
      scf.condition(%more)
    } do {
      "unwarp.barrier"() {level = "block"} : () -> ()
      func.call @a() : () -> ()
      scf.yield
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
