// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was split is not split again.
// RUN: %unwarp_opt --split %S/smallest-set.mlir > %t.once
// RUN: %unwarp_opt --split --split %S/smallest-set.mlir | diff %t.once -
