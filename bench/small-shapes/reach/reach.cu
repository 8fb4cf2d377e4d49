// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shared tile of which each thread reads what data say.
#include "../small.h"

__global__ void shape(const float *in, float *out, int n) {
  __shared__ float tile[BLOCK];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  float sum = 0;
  int at = threadIdx.x;
  for (int k = 0; k < 8; k++) {
    sum += tile[at];
    at = (at * 5 + (tile[at] > 0)) % BLOCK;
  }
  if (i < n)
    out[i] = sum;
}

SHAPE(1, 1)
