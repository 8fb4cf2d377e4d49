// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop in which continue skips a barrier in some rounds.
#include "check.h"

__global__ void skip_rounds(const int *skip, int *out, int rounds) {
  __shared__ int ring[1024];
  int me = threadIdx.x, size = blockDim.x, value = me, skipped = 0;
  for (int round = 0; round < rounds; round++) {
    if (skip[round]) {
      skipped++;
      continue;
    }
    ring[me] = value;
    __syncthreads();
    value = ring[(me + round) % size] + 1;
    __syncthreads();
  }
  out[blockIdx.x * size + me] = value * 100 + skipped;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks, rounds = 9;
  buffer<int> skip(rounds), out(n);
  int offset = 0, taken = 0;
  for (int round = 0; round < rounds; round++) {
    skip[round] = round % 4 == 1 || round == 6;
    if (!skip[round]) {
      offset += round;
      taken++;
    }
  }
  skip.upload();
  skip_rounds<<<blocks, block>>>(skip.device, out.device, rounds);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], ((i % block + offset) % block + taken) * 100 + rounds - taken);
  return passed();
}
