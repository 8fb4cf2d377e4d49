// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --form-warps %s | FileCheck %s
// RUN: %unwarp_opt --form-warps --form-warps %s | FileCheck %s

// In a block whose shape is not known, warps that are whole and lie in one row of threads have a loop of their own: 32 lanes, of which y and
// z are the same and x is the first lane's and the lane. The others are in a loop as it was, which stays small.

// CHECK-LABEL: func.func @unknown
// CHECK:      %[[ROWS:.*]] = arith.muli %arg0, %arg1
// CHECK:      %[[ONE:.*]] = arith.cmpi eq, %[[ROWS]]
// CHECK:      %[[REST:.*]] = arith.remui %arg2, %c32
// CHECK:      %[[EVEN:.*]] = arith.cmpi eq, %[[REST]]
// CHECK:      %[[APART:.*]] = arith.ori %[[ONE]], %[[EVEN]]
// CHECK:      %[[WHOLE:.*]] = arith.select %[[APART]], %{{.*}}, %c0
// CHECK:      scf.forall (%[[WARP:.*]]) {{(= .* to|in)}} (%[[WHOLE]])
// CHECK:        %[[ROW:.*]] = arith.divui %{{.*}}, %arg2
// CHECK:        scf.forall (%[[LANE:.*]]) {{(= .* to|in)}} (%c32{{.*}})
// CHECK:          %[[X:.*]] = arith.addi %{{.*}}, %[[LANE]]
// CHECK:          call @get(%[[X]])
// CHECK:          unwarp.shuffle
// CHECK:      scf.forall (%{{.*}}) = (%[[WHOLE]]) to
// CHECK:        arith.minui
// CHECK:          unwarp.shuffle
// CHECK:      unwarp.runs_seldom
func.func @unknown(%nz: index, %ny: index, %nx: index, %from: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  scf.forall (%z, %y, %x) in (%nz, %ny, %nx) {
    %v = func.call @get(%x) : (index) -> f32
    %a = "unwarp.shuffle"(%v, %from, %true) : (f32, i32, i1) -> f32
    func.call @put(%a, %y) : (f32, index) -> ()
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// A known number of whole warps: nothing is left.
// CHECK-LABEL: func.func @known
// CHECK-NOT: unwarp.runs_seldom
func.func @known(%from: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 64 : index
  %true = arith.constant true
  scf.forall (%x) in (%size) {
    %v = func.call @get(%x) : (index) -> f32
    %a = "unwarp.shuffle"(%v, %from, %true) : (f32, i32, i1) -> f32
    func.call @put(%a, %x) : (f32, index) -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func private @get(index) -> f32
func.func private @put(f32, index)
