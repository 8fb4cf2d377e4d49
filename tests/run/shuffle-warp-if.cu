// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shuffles under a condition that only one warp meets: if (warp == 0), and an else for the others.
#include "check.h"

__global__ void choose(int *out) {
  int thread = threadIdx.x, warp = thread / 32, lane = thread % 32, i = blockIdx.x * blockDim.x + thread;
  int left = blockDim.x - warp * 32, lanes = left < 32 ? left : 32;
  int value = i;
  if (warp == 0) {
    value = __shfl_sync(0xffffffffu, value, lanes - 1 - lane) + 1;
  } else if (warp % 2 == 1) {
    value = __shfl_sync(0xffffffffu, value, 0) + 2;
  } else {
    value = -value;
  }
  out[i] = value;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks;
  buffer<int> out(n);
  choose<<<blocks, block>>>(out.device);
  out.download();
  for (int b = 0; b < blocks; b++)
    for (int t = 0; t < block; t++) {
      int i = b * block + t, first = b * block + t / 32 * 32, lanes = block < 32 ? block : 32;
      expect(i, out[i], t < 32 ? b * block + lanes - 1 - t + 1 : t / 32 % 2 == 1 ? first + 2 : -i);
    }
  return passed();
}
