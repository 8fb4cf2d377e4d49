// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A private array updated in a loop with barriers: its content must survive each iteration.
#include "check.h"

__global__ void record_history(int *out, int iterations) {
  __shared__ int ring[1024];
  int me = threadIdx.x, size = blockDim.x;
  int history[5] = {0, 0, 0, 0, 0};
  ring[me] = me + 1;
  __syncthreads();
  for (int iteration = 0; iteration < iterations; iteration++) {
    history[(iteration + me) % 5] += ring[(me + iteration) % size];
    __syncthreads();
    ring[me] += 1 + history[me % 5] % 2;
    __syncthreads();
  }
  for (int k = 0; k < 5; k++)
    out[(blockIdx.x * size + me) * 5 + k] = history[k];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks, iterations = 9;
  buffer<int> out(n * 5);
  record_history<<<blocks, block>>>(out.device, iterations);
  out.download();
  int *ring = new int[block], *history = new int[block * 5]();
  for (int t = 0; t < block; t++)
    ring[t] = t + 1;
  for (int iteration = 0; iteration < iterations; iteration++) {
    for (int t = 0; t < block; t++)
      history[t * 5 + (iteration + t) % 5] += ring[(t + iteration) % block];
    for (int t = 0; t < block; t++)
      ring[t] += 1 + history[t * 5 + t % 5] % 2;
  }
  for (int i = 0; i < n * 5; i++)
    expect(i, out[i], history[i % (block * 5)]);
  delete[] ring;
  delete[] history;
  return passed();
}
