// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A while loop with two barriers; the number of iterations comes from an argument.
#include "check.h"

// Each iteration every thread takes the value of its right neighbour (cyclic) plus one.
__global__ void rotate(int *out, int iterations) {
  __shared__ int ring[1024];
  int me = threadIdx.x;
  ring[me] = me * 10;
  __syncthreads();
  while (iterations > 0) {
    int next = ring[(me + 1) % blockDim.x];
    __syncthreads();
    ring[me] = next + 1;
    __syncthreads();
    iterations--;
  }
  out[blockIdx.x * blockDim.x + me] = ring[me];
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  const int blocks = 3;
  buffer<int> out(blocks * block);
  for (int iterations = 0; iterations < 6; iterations++) {
    rotate<<<blocks, block>>>(out.device, iterations);
    out.download();
    for (int i = 0; i < blocks * block; i++)
      expect(i, out[i], (i % block + iterations) % block * 10 + iterations);
  }
  return passed();
}
