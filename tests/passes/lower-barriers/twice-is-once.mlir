// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is left to do.
// RUN: %unwarp_opt --lower-barriers %S/nested-loops.mlir > %t.once
// RUN: %unwarp_opt --lower-barriers --lower-barriers %S/nested-loops.mlir | diff %t.once -
