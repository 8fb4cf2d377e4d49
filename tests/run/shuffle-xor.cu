// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __shfl_xor_sync: a butterfly that leaves the sum of the warp in every lane.
#include "check.h"

__global__ void sum_warps(const unsigned *in, unsigned *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = in[i];
  for (int mask = 16; mask > 0; mask >>= 1) {
    int lane = threadIdx.x % 32, first = threadIdx.x - lane;
    unsigned other = __shfl_xor_sync(0xffffffffu, sum, mask);
    bool there = first + 31 < blockDim.x; // only whole warps take part in the sum
    if (there)
      sum += other;
  }
  out[i] = sum;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks;
  buffer<unsigned> in(n), out(n);
  unsigned state = 4;
  for (int i = 0; i < n; i++)
    in[i] = next_random(state);
  in.upload();
  sum_warps<<<blocks, block>>>(in.device, out.device);
  out.download();
  for (int i = 0; i < n; i++) {
    int thread = i % block, first = thread / 32 * 32;
    unsigned expected = 0;
    for (int t = first; t < first + 32; t++)
      if (first + 32 <= block)
        expected += in[i - thread + t];
    expect(i, out[i], first + 32 <= block ? expected : in[i]);
  }
  return passed();
}
