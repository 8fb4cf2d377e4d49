// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Listing 3 of "Experiences Building an MLIR-Based SYCL Compiler": an accessor of three dimensions at
// (x + 1, 2 i, y + 2 i + 2), where x and y are the item's indices and i counts iterations. In elements the matrix is
//   1 0 0       1
//   0 0 2   +   0
//   0 1 2       2
// and ours has it in bytes of floats, four times as much, the last row first. A plane's elements are one value, as a sum has no products
// of three unknown values.
// RUN: %unwarp_opt --print-analysis=access %s | FileCheck %s

// CHECK-LABEL: access in @accessor
// CHECK: row of bytes: [0 4 8] + 8
// CHECK-DAG: row of %arg1: [4 0 0] + 4
// CHECK-DAG: row of %arg2: [0 0 8]
func.func @accessor(%memory: !llvm.ptr, %plane: i64, %columns: i64, %items: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i1 = arith.constant 1 : i64
  %i2 = arith.constant 2 : i64
  scf.forall (%x, %y) in (%items, %items) {
    scf.for %i = %c0 to %n step %c1 {
      %gx = arith.index_castui %x : index to i64
      %gy = arith.index_castui %y : index to i64
      %k = arith.index_castui %i : index to i64
      %first = arith.addi %gx, %i1 overflow<nsw> : i64
      %second = arith.muli %k, %i2 overflow<nsw> : i64
      %near = arith.addi %gy, %second overflow<nsw> : i64
      %third = arith.addi %near, %i2 overflow<nsw> : i64
      %in_planes = arith.muli %first, %plane overflow<nsw> : i64
      %in_rows = arith.muli %second, %columns overflow<nsw> : i64
      %sum = arith.addi %in_planes, %in_rows overflow<nsw> : i64
      %at = arith.addi %sum, %third overflow<nsw> : i64
      %address = llvm.getelementptr %memory[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %value = llvm.load %address : !llvm.ptr -> f32
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}
