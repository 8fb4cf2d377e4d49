// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same device function with a barrier called from two locations, one of them under a uniform if.
#include "check.h"

__device__ int from_right(int *tile, int value, int distance) {
  __syncthreads();
  tile[threadIdx.x] = value;
  __syncthreads();
  return tile[(threadIdx.x + distance) % blockDim.x];
}

__global__ void hop(int *out, int extra) {
  __shared__ int tile[1024];
  int value = from_right(tile, threadIdx.x, 1);
  if (extra)
    value = from_right(tile, value, extra) + 1000;
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<int> out(n);
  for (int extra = 0; extra < 4; extra++) {
    hop<<<blocks, block>>>(out.device, extra);
    out.download();
    for (int i = 0; i < n; i++)
      expect(i, out[i], (i % block + 1 + extra) % block + (extra ? 1000 : 0));
  }
  return passed();
}
