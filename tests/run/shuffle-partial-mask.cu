// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shuffles among some lanes of a warp: the mask names those that take part, in each arm of a divergent if.
#include "check.h"

__global__ void halves(int *out) {
  int thread = threadIdx.x, lane = thread % 32, i = blockIdx.x * blockDim.x + thread;
  int value = i;
  if (lane < 16) {
    value = __shfl_xor_sync(0x0000ffffu, value, 3);
  } else {
    int other = __shfl_down_sync(0xffff0000u, value, 2, 16);
    value = other * 10;
  }
  if (lane % 2 == 0)
    value += __shfl_sync(0x55555555u, i, 0);
  out[i] = value;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<int> out(n);
  halves<<<blocks, block>>>(out.device);
  out.download();
  for (int i = 0; i < n; i++) {
    int thread = i % block, lane = thread % 32, source;
    if (lane < 16)
      source = i - lane + (lane ^ 3);
    else
      source = lane + 2 < 32 ? i + 2 : i;
    if (source - i + thread >= block)
      continue;
    expect(i, out[i], source * (lane < 16 ? 1 : 10) + (lane % 2 ? 0 : i - lane));
  }
  return passed();
}
