// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A break around barriers under a condition that each thread loads from its own address: uniform in truth, not in
// looks.
#include "check.h"

__global__ void count_down(const int *limits, int *out) {
  __shared__ int ring[1024];
  int me = threadIdx.x, size = blockDim.x, i = blockIdx.x * size + me;
  int iterations = 0;
  ring[me] = me;
  while (true) {
    __syncthreads();
    int neighbour = ring[(me + 1) % size];
    __syncthreads();
    if (iterations >= limits[i])
      break; // the same value for every thread of a block
    ring[me] = neighbour;
    iterations++;
  }
  out[i] = ring[me] * 10 + iterations;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 6, n = block * blocks;
  buffer<int> limits(n), out(n);
  for (int i = 0; i < n; i++)
    limits[i] = i / block;
  limits.upload();
  count_down<<<blocks, block>>>(limits.device, out.device);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], (i % block + i / block) % block * 10 + i / block);
  return passed();
}
