// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block waits for the block before it: a running sum handed from block to block through global flags.
#include "check.h"

__global__ void chain(const int *in, int *prefix, volatile int *ready, volatile int *carry) {
  __shared__ int tile[1024];
  __shared__ int before;
  int me = threadIdx.x, b = blockIdx.x, i = b * blockDim.x + me;
  tile[me] = in[i];
  __syncthreads();
  if (me == 0) {
    int sum = 0;
    for (int k = 0; k < blockDim.x; k++)
      sum += tile[k];
    if (b > 0)
      while (ready[b - 1] == 0) {}
    __threadfence();
    before = b > 0 ? carry[b - 1] : 0;
    carry[b] = before + sum;
    __threadfence();
    ready[b] = 1;
  }
  __syncthreads();
  int running = before;
  for (int k = 0; k <= me; k++)
    running += tile[k];
  prefix[i] = running;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 40, n = block * blocks;
  buffer<int> in(n), prefix(n), ready(blocks), carry(blocks);
  for (int i = 0; i < n; i++)
    in[i] = i % 19 - 7;
  in.upload();
  ready.upload();
  chain<<<blocks, block>>>(in.device, prefix.device, ready.device, carry.device);
  prefix.download();
  int running = 0;
  for (int i = 0; i < n; i++)
    expect(i, prefix[i], running += in[i]);
  return passed();
}
