// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __shfl_sync from a lane that each thread computes, and as a broadcast from lane 0.
#include "check.h"

__global__ void gather(int *rotated, int *first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int base = threadIdx.x & ~31;
  int lanes = blockDim.x - base < 32 ? blockDim.x - base : 32;
  rotated[i] = __shfl_sync(0xffffffffu, i * 3, (lane * 7 + 1) % lanes);
  first[i] = __shfl_sync(0xffffffffu, i + 5, 0);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks;
  buffer<int> rotated(n), first(n);
  gather<<<blocks, block>>>(rotated.device, first.device);
  rotated.download();
  first.download();
  for (int b = 0; b < blocks; b++)
    for (int t = 0; t < block; t++) {
      int base = t - t % 32, lanes = block - base > 32 ? 32 : block - base;
      int i = b * block + t, source = b * block + base + (t % 32 * 7 + 1) % lanes;
      expect(i, rotated[i], source * 3);
      expect(i, first[i], b * block + base + 5);
    }
  return passed();
}
