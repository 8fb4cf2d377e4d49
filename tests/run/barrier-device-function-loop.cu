// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device function with barriers called in a loop, and one whose own loop has barriers.
#include "check.h"

__device__ int sum_all(int *tile, int value) {
  int me = threadIdx.x, size = blockDim.x;
  tile[me] = value;
  __syncthreads();
  for (int width = 1; width < size; width *= 2) {
    int add = me % (2 * width) == 0 && me + width < size ? tile[me + width] : 0;
    __syncthreads();
    tile[me] += add;
    __syncthreads();
  }
  int sum = tile[0];
  __syncthreads();
  return sum;
}

__global__ void series(int *out, int iterations) {
  __shared__ int tile[1024];
  int value = threadIdx.x;
  for (int iteration = 0; iteration < iterations; iteration++)
    value = sum_all(tile, value) % 1000 + threadIdx.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<int> out(n);
  for (int iterations = 0; iterations < 4; iterations++) {
    series<<<blocks, block>>>(out.device, iterations);
    out.download();
    int offset = 0; // every thread holds its index plus this
    for (int iteration = 0; iteration < iterations; iteration++)
      offset = (block * (block - 1) / 2 + offset * block) % 1000;
    for (int i = 0; i < n; i++)
      expect(i, out[i], i % block + offset);
  }
  return passed();
}
