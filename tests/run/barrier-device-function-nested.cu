// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier two calls deep, in functions marked __noinline__.
#include "check.h"

__device__ __noinline__ void store_and_wait(int *tile, int value) {
  tile[threadIdx.x] = value;
  __syncthreads();
}

__device__ __noinline__ int rotate(int *tile, int value, int by) {
  __syncthreads();
  store_and_wait(tile, value);
  return tile[(threadIdx.x + by) % blockDim.x];
}

__global__ void twice(int *out) {
  __shared__ int tile[1024];
  int value = threadIdx.x * 5;
  value = rotate(tile, value, 1);
  value = rotate(tile, value + 1, 2);
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<int> out(n);
  twice<<<blocks, block>>>(out.device);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], (i % block + 3) % block * 5 + 1);
  return passed();
}
