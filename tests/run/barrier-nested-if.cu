// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers under two nested uniform ifs, and between them.
#include "check.h"

__global__ void nested(int *out, int a, int b) {
  __shared__ int tile[1024];
  int me = threadIdx.x, last = blockDim.x - 1, value = me + 1;
  if (a > 0) {
    tile[me] = value;
    __syncthreads();
    value += tile[last - me];
    if (b > 0) {
      __syncthreads();
      tile[me] = value * 10 + me % 3;
      __syncthreads();
      value = tile[(me + 1) % blockDim.x];
    }
    __syncthreads();
    tile[me] = -value;
    __syncthreads();
    value = tile[last - me];
  }
  out[blockIdx.x * blockDim.x + me] = value;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<int> out(n);
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      nested<<<blocks, block>>>(out.device, a, b);
      out.download();
      for (int i = 0; i < n; i++) {
        int me = i % block, expected = me + 1;
        int mirror = block - 1 - me, next = (mirror + 1) % block;
        if (a)
          expected = -(block + 1);
        if (a && b)
          expected = -((block + 1) * 10 + next % 3);
        expect(i, out[i], expected);
      }
    }
  return passed();
}
