// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A static __shared__ array inside a device function: one for the block, however often the function is called.
#include "check.h"

__device__ int *board(void) {
  static __shared__ int cells[1024];
  return cells;
}

__device__ void put(int value) { board()[threadIdx.x] = value; }
__device__ int get(int thread) { return board()[thread]; }

__global__ void run(int *out) {
  put(threadIdx.x * 3);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = get(blockDim.x - 1 - threadIdx.x);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks;
  buffer<int> out(n);
  run<<<blocks, block>>>(out.device);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], (block - 1 - i % block) * 3);
  return passed();
}
