// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop in which continue skips a barrier in some iterations.
#include "check.h"

__global__ void skip_iterations(const int *skip, int *out, int iterations) {
  __shared__ int ring[1024];
  int me = threadIdx.x, size = blockDim.x, value = me, skipped = 0;
  for (int iteration = 0; iteration < iterations; iteration++) {
    if (skip[iteration]) {
      skipped++;
      continue;
    }
    ring[me] = value;
    __syncthreads();
    value = ring[(me + iteration) % size] + 1;
    __syncthreads();
  }
  out[blockIdx.x * size + me] = value * 100 + skipped;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks, iterations = 9;
  buffer<int> skip(iterations), out(n);
  int offset = 0, taken = 0;
  for (int iteration = 0; iteration < iterations; iteration++) {
    skip[iteration] = iteration % 4 == 1 || iteration == 6;
    if (!skip[iteration]) {
      offset += iteration;
      taken++;
    }
  }
  skip.upload();
  skip_iterations<<<blocks, block>>>(skip.device, out.device, iterations);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], ((i % block + offset) % block + taken) * 100 + iterations - taken);
  return passed();
}
