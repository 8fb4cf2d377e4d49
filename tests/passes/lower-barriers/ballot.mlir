// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ballot of whole warps is a comparison of the lanes' bytes, otherwise a serial loop over them; its result is the same for all
// lanes, so a condition on it is uniform.
// RUN: %unwarp_opt --lower-barriers --simplify %s | FileCheck %s --check-prefixes=CHECK,WHOLE
// RUN: sed 's/constant 64/constant 48/' %s | %unwarp_opt --lower-barriers --simplify | FileCheck %s --check-prefixes=CHECK,PART
func.func @kernel(%data: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  %true = arith.constant true
  %zero = arith.constant 0 : i32
  %c64 = arith.constant 64 : index
  scf.forall (%z, %y, %x) in (%c1, %c1, %c64) {
    %v = func.call @get(%x) : (index) -> i32
    %bits = "unwarp.reduce"(%v, %true) {kind = "ballot", level = "warp"} : (i32, i1) -> i32
    %some = arith.cmpi ne, %bits, %zero : i32
    scf.if %some {
      func.call @put(%x) : (index) -> ()
      "unwarp.barrier"() {level = "warp"} : () -> ()
      func.call @put(%x) : (index) -> ()
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
func.func private @get(index) -> i32
func.func private @put(index)

// CHECK:      scf.forall
// CHECK:          func.call @get
// CHECK:          llvm.store %{{.*}} : i8
// CHECK:        } {mapping = [#gpu.lane<x>]}
// PART:         %[[BITS:.*]] = scf.for %
// PART:           arith.shli
// PART:           arith.ori
// WHOLE:        llvm.load %{{.*}} -> vector<16xi8>
// WHOLE:        llvm.load %{{.*}} -> vector<16xi8>
// WHOLE:        %[[BITS:.*]] = arith.ori
// CHECK:        %[[SOME:.*]] = arith.cmpi ne, %[[BITS]]
// CHECK:        scf.if %[[SOME]] {
// CHECK:          scf.forall
// CHECK-NOT:        scf.if
// CHECK:            func.call @put
// CHECK:          scf.forall
// CHECK:            func.call @put
