// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores of some threads, by data.
#include "../small.h"

__global__ void shape(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0.25f)
    out[i] = in[i] * 3 + 1;
}

SHAPE(1, 1)
