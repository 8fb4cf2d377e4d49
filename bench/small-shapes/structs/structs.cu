// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structs of five floats, of which one is the sum.
#include "../small.h"

__global__ void shape(const float *in, float *out, int n) {
  struct five { float x, y, z, w, sum; };
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  five f = ((const five *)in)[i];
  f.sum = f.x * f.y + f.z * f.w;
  ((five *)out)[i] = f;
}

SHAPE(5, 5)
