// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that came along with its launch stands in the host's function: what is printed of a kernel's function is of that launch there, each
// launch once, and nothing of the host's own loads.
// RUN: %unwarp_opt --print-analysis=access %s | FileCheck %s --check-prefix=ACCESS --implicit-check-not="access 1"
// RUN: %unwarp_opt --print-analysis=bounds %s | FileCheck %s --check-prefix=BOUNDS
// RUN: %unwarp_opt --print-analysis=dependence %s | FileCheck %s --check-prefix=DEPENDENCE

// ACCESS: access of a launch in @main
// ACCESS-NEXT: access 0: llvm.store writes %arg0, 4 bytes, exact
// ACCESS: row of bytes: [64 4] + 0
// ACCESS: access of a launch in @main
// ACCESS-NEXT: access 0: llvm.load reads %arg0, 4 bytes, exact
// ACCESS-NOT: in @
// BOUNDS: bounds of a launch in @main
// BOUNDS-NEXT: extent %c8: 8 to 8
// BOUNDS-NEXT: counter %arg1: 0 to 7
// BOUNDS-NEXT: extent %c16: 16 to 16
// BOUNDS-NEXT: counter %arg2: 0 to 15
// BOUNDS-NEXT: index
// BOUNDS-NEXT: index
// BOUNDS: bounds of a launch in @main
// BOUNDS-NOT: in @
// DEPENDENCE: dependence of a launch in @main
// DEPENDENCE: 0 and 0: meet at %arg1 0, %arg2 0, in the same step
// DEPENDENCE: dependence of a launch in @main
// DEPENDENCE-NOT: in @
llvm.func @main(%memory: !llvm.ptr) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%group) in (%c8) {
    scf.forall (%item) in (%c16) {
      %row = arith.muli %group, %c16 : index
      %sum = arith.addi %row, %item : index
      %at = arith.index_castui %sum : index to i64
      %address = llvm.getelementptr %memory[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %address : f32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  scf.forall (%group) in (%c8) {
    %value = llvm.load %memory : !llvm.ptr -> f32
  } {mapping = [#gpu.block<x>]}
  %own = llvm.load %memory : !llvm.ptr -> f32
  llvm.return %own : f32
}
