// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic and static shared memory in one kernel must not overlap.
#include "check.h"

__global__ void both(int *out) {
  __shared__ int fixed[1024];
  __shared__ char flags[3];
  extern __shared__ int sized[];
  int me = threadIdx.x, last = blockDim.x - 1;
  fixed[me] = me + 1;
  sized[me] = (me + 1) * 10000;
  if (me == 0)
    flags[0] = flags[1] = flags[2] = 5;
  __syncthreads();
  out[blockIdx.x * blockDim.x + me] = fixed[last - me] + sized[last - me] + flags[0] + flags[1] + flags[2];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<int> out(n);
  both<<<blocks, block, block * sizeof(int)>>>(out.device);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], (block - i % block) * 10001 + 15);
  return passed();
}
