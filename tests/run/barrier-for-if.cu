// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier under a uniform if inside a for loop: only odd iterations exchange.
#include "check.h"

__global__ void exchange_on_odd(int *out, int iterations) {
  __shared__ int ring[1024];
  int me = threadIdx.x, value = me;
  for (int iteration = 0; iteration < iterations; iteration++) {
    value += iteration;
    if (iteration & 1) {
      ring[me] = value;
      __syncthreads();
      value = ring[blockDim.x - 1 - me];
      __syncthreads();
    }
  }
  out[blockIdx.x * blockDim.x + me] = value;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3;
  buffer<int> out(blocks * block);
  for (int iterations = 0; iterations < 8; iterations++) {
    exchange_on_odd<<<blocks, block>>>(out.device, iterations);
    out.download();
    int swaps = iterations / 2, added = iterations * (iterations - 1) / 2;
    for (int i = 0; i < blocks * block; i++) {
      int me = i % block;
      expect(i, out[i], (swaps % 2 ? block - 1 - me : me) + added);
    }
  }
  return passed();
}
