// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shared library with kernels, which hides that it uses CUDA. `cells` is memory that the device may read.
#pragma once

struct statistics {
  double sum;
  float least, most;
};
extern "C" statistics take_statistics(const float *cells, int count);
