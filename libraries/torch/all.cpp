// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extension as one file: PyTorch's headers are most of what is compiled.
#include "attention.cpp"
#include "call.cpp"
#include "capture.cpp"
#include "checked.cpp"
#include "norms.cpp"
#include "operators.cpp"
#include "own.cpp"
#include "random.cpp"
#include "sparse.cpp"
#include "wide.cpp"
