// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tree of sums in shared memory for each block.
#include "../small.h"

__global__ void shape(const float *in, float *out, int n) {
  __shared__ float sums[BLOCK];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (t < half)
      sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = sums[0];
}

SHAPE(1, 1)
