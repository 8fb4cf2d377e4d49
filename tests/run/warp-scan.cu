// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An inclusive scan of each warp by __shfl_up_sync.
#include "check.h"

__global__ void scan(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int value = in[i];
#pragma unroll
  for (int step = 1; step < 32; step <<= 1) {
    int below = __shfl_up_sync(0xffffffffu, value, step);
    if (lane >= step)
      value += below;
  }
  out[i] = value;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 4, n = block * blocks;
  buffer<int> in(n), out(n);
  for (int i = 0; i < n; i++)
    in[i] = (i * 31) % 57 - 20;
  in.upload();
  scan<<<blocks, block>>>(in.device, out.device);
  out.download();
  int running = 0;
  for (int i = 0; i < n; i++) {
    running = i % block % 32 ? running + in[i] : in[i];
    expect(i, out[i], running);
  }
  return passed();
}
