// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread adds up a row of sixteen of its own.
#include "../small.h"

__global__ void shape(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; i < n && k < 16; k++)
    sum += in[i * 16 + k] * in[i * 16 + k];
  if (i < n)
    out[i] = sum;
}

SHAPE(16, 1)
