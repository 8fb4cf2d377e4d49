// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop with barriers whose carried value gets its next value before the old one is used for the last time; two values change places.
#include "check.h"

__global__ void carry(const unsigned *in, unsigned *out, int iterations) {
  __shared__ unsigned tile[1024];
  unsigned me = threadIdx.x, total = blockDim.x, i = blockIdx.x * total + me;
  unsigned older = in[i], newer = me * 3 + 1, sum = 0;
  for (int iteration = 0; iteration < iterations; iteration++) {
    unsigned next = older * 5 + iteration;
    tile[me] = newer ^ me;
    __syncthreads();
    sum += tile[(me + 1) % total] + older;
    __syncthreads();
    older = newer;
    newer = next;
  }
  out[i] = sum ^ older ^ (newer << 1);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 5, n = block * blocks, iterations = 6;
  buffer<unsigned> in(n), out(n);
  unsigned state = 3;
  for (int i = 0; i < n; i++)
    in[i] = next_random(state);
  in.upload();
  carry<<<blocks, block>>>(in.device, out.device, iterations);
  out.download();
  for (int b = 0; b < blocks; b++)
    for (int t = 0; t < block; t++) {
      int mine = b * block + t, other = (t + 1) % block;
      unsigned older = in[mine], newer = t * 3 + 1, sum = 0;
      unsigned other_older = in[b * block + other], other_newer = other * 3 + 1;
      for (int iteration = 0; iteration < iterations; iteration++) {
        sum += (other_newer ^ (unsigned)other) + older;
        unsigned next = older * 5 + iteration, other_next = other_older * 5 + iteration;
        older = newer, newer = next;
        other_older = other_newer, other_newer = other_next;
      }
      expect(mine, out[mine], sum ^ older ^ (newer << 1));
    }
  return passed();
}
