// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ballot is a serial loop over the lanes' bits; its result is the same for all lanes, so a condition on it is uniform.
// RUN: %unwarp_opt --mincut --lower-barriers --simplify %s | FileCheck %s
func.func @kernel(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  %true = arith.constant true
  %zero = arith.constant 0 : i32
  %c64 = arith.constant 64 : index
  scf.parallel (%z, %y, %x) = (%c0, %c0, %c0) to (%c1, %c1, %c64) step (%c1, %c1, %c1) {
    %v = func.call @get(%x) : (index) -> i32
    %bits = "unwarp.reduce"(%v, %true) {kind = "ballot", level = "warp"} : (i32, i1) -> i32
    %some = arith.cmpi ne, %bits, %zero : i32
    scf.if %some {
      func.call @put(%x) : (index) -> ()
      "unwarp.barrier"() {level = "warp"} : () -> ()
      func.call @put(%x) : (index) -> ()
    }
    scf.reduce
  } {unwarp.level = "block"}
  return
}
func.func private @get(index) -> i32
func.func private @put(index)

// CHECK:      scf.parallel
// CHECK:          func.call @get
// CHECK:          llvm.store %{{.*}} : i8
// CHECK:        } {unwarp.level = "lane"}
// CHECK:        %[[BITS:.*]] = scf.for
// CHECK:          arith.shli
// CHECK:          arith.ori
// CHECK:        %[[SOME:.*]] = arith.cmpi ne, %[[BITS]]
// CHECK:        scf.if %[[SOME]] {
// CHECK:          scf.parallel
// CHECK-NOT:        scf.if
// CHECK:            func.call @put
// CHECK:          scf.parallel
// CHECK:            func.call @put
