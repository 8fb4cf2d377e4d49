// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that all agree on keeps its condition under a mask, but does not go on where nobody takes part: a vote of none may say
// anything.
// RUN: %unwarp_opt --mask %s | FileCheck %s
func.func @kernel(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %true = arith.constant true
  scf.forall (%z, %y, %x) in (%c1, %c1, %n) {
    %takes_part = func.call @takes_part(%x) : (index) -> i1
    scf.if %takes_part {
      scf.while : () -> () {
        %flag = func.call @done(%x) : (index) -> i32
        %any = "unwarp.reduce"(%flag, %true) {level = "block", kind = "or"} : (i32, i1) -> i32
        %none = arith.cmpi eq, %any, %zero : i32
        scf.condition(%none)
      } do {
        scf.yield
      }
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
func.func private @takes_part(index) -> i1
func.func private @done(index) -> i32

// CHECK:      %[[MASK:.*]] = func.call @takes_part
// CHECK:      %[[COUNT:.*]] = "unwarp.reduce"(%{{.*}}, %{{.*}}) {kind = "or", level = "block"}
// CHECK:      %[[SOME:.*]] = arith.cmpi ne, %[[COUNT]]
// CHECK:      scf.while
// CHECK:        %[[FLAG:.*]] = scf.if %[[MASK]]
// CHECK:          func.call @done
// CHECK:        %[[ANY:.*]] = "unwarp.reduce"(%[[FLAG]], %[[MASK]])
// CHECK:        %[[NONE:.*]] = arith.cmpi eq, %[[ANY]]
// CHECK:        %[[GO:.*]] = arith.select %[[SOME]], %[[NONE]]
// CHECK:        scf.condition(%[[GO]])
