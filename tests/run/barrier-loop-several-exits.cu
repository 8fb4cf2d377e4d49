// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop with barriers and four ways out: the condition, two breaks, a return.
#include "check.h"

__global__ void many_exits(const int *script, int *out, int iterations) {
  __shared__ int seen;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int total = 0, iteration;
  for (iteration = 0; iteration < iterations; iteration++) {
    __syncthreads();
    if (threadIdx.x == 0)
      seen = script[blockIdx.x * iterations + iteration];
    __syncthreads();
    if (seen == 1)
      break;
    total += seen;
    if (seen == 2) {
      out[i] = 20000 + total;
      return;
    }
    __syncthreads();
    if (seen == 3) {
      total += 7;
      break;
    }
  }
  out[i] = iteration * 1000 + total;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 12, iterations = 5;
  buffer<int> script(blocks * iterations), out(blocks * block);
  unsigned state = 11;
  for (int i = 0; i < blocks * iterations; i++)
    script[i] = next_random(state) % 8;
  for (int i = 0; i < iterations; i++)
    script[i] = 4 + i; // block 0 runs to the end
  script.upload();
  many_exits<<<blocks, block>>>(script.device, out.device, iterations);
  out.download();
  for (int b = 0; b < blocks; b++) {
    int total = 0, iteration = 0, expected = -1;
    while (expected < 0) {
      int word = iteration < iterations ? script[b * iterations + iteration] : 1;
      if (word != 1)
        total += word;
      if (word == 3)
        total += 7;
      if (word == 2)
        expected = 20000 + total;
      else if (word == 1 || word == 3)
        expected = iteration * 1000 + total;
      else
        iteration++;
    }
    for (int t = 0; t < block; t++)
      expect(b * block + t, out[b * block + t], expected);
  }
  return passed();
}
