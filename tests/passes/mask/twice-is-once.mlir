// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was masked is uniform.
// RUN: %unwarp_opt --mask %S/divergent-while.mlir > %t.once
// RUN: %unwarp_opt --mask --mask --simplify %S/divergent-while.mlir > %t.twice
// RUN: %unwarp_opt --simplify %t.once | diff - %t.twice
