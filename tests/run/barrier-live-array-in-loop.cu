// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A private array updated in a loop with barriers: its content must survive each round.
#include "check.h"

__global__ void record_history(int *out, int rounds) {
  __shared__ int ring[1024];
  int me = threadIdx.x, size = blockDim.x;
  int history[5] = {0, 0, 0, 0, 0};
  ring[me] = me + 1;
  __syncthreads();
  for (int round = 0; round < rounds; round++) {
    history[(round + me) % 5] += ring[(me + round) % size];
    __syncthreads();
    ring[me] += 1 + history[me % 5] % 2;
    __syncthreads();
  }
  for (int k = 0; k < 5; k++)
    out[(blockIdx.x * size + me) * 5 + k] = history[k];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks, rounds = 9;
  buffer<int> out(n * 5);
  record_history<<<blocks, block>>>(out.device, rounds);
  out.download();
  int *ring = new int[block], *history = new int[block * 5]();
  for (int t = 0; t < block; t++)
    ring[t] = t + 1;
  for (int round = 0; round < rounds; round++) {
    for (int t = 0; t < block; t++)
      history[t * 5 + (round + t) % 5] += ring[(t + round) % block];
    for (int t = 0; t < block; t++)
      ring[t] += 1 + history[t * 5 + t % 5] % 2;
  }
  for (int i = 0; i < n * 5; i++)
    expect(i, out[i], history[i % (block * 5)]);
  delete[] ring;
  delete[] history;
  return passed();
}
