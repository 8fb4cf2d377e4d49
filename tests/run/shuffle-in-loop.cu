// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shuffles in a loop whose number of iterations differs from warp to warp.
#include "check.h"

__global__ void spin(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int base = threadIdx.x - lane, left = blockDim.x - base, lanes = left < 32 ? left : 32;
  int value = lane;
  for (int iteration = 0; iteration < warp * 2 + 1; iteration++) {
    value = __shfl_sync(0xffffffffu, value, (lane + 1) % lanes);
    if (iteration % 3 == 2)
      continue;
    value = __shfl_sync(0xffffffffu, value + 100, (lane + 2) % lanes);
  }
  out[i] = value;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<int> out(n);
  spin<<<blocks, block>>>(out.device);
  out.download();
  for (int i = 0; i < n; i++) {
    int thread = i % block, warp = thread / 32, left = block - warp * 32, lanes = left < 32 ? left : 32;
    int iterations = warp * 2 + 1, doubles = iterations - iterations / 3;
    expect(i, out[i], (thread % 32 + iterations + 2 * doubles) % lanes + 100 * doubles);
  }
  return passed();
}
