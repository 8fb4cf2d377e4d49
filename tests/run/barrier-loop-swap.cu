// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that change places in every round of a loop with barriers: each new one needs the other's old one.
#include "check.h"

__global__ void rotate_values(unsigned *out, int rounds, int stop) {
  __shared__ unsigned ring[1024];
  unsigned me = threadIdx.x, size = blockDim.x, a = me, b = me * 10 + 1, c = 1000;
  for (int round = 0; round < rounds; round++) {
    if (round == stop)
      break;
    unsigned old = a;
    a = b;
    b = c;
    c = old + round;
    ring[me] = a;
    __syncthreads();
    c += ring[(me + 1) % size];
    __syncthreads();
    if (round % 3 == 1) {
      unsigned swap = a;
      a = c;
      ring[me] = swap;
      __syncthreads();
      c = ring[size - 1 - me] + b;
      __syncthreads();
    }
  }
  out[blockIdx.x * size + me] = a + 3 * b + 5 * c;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<unsigned> out(n);
  unsigned *values = new unsigned[3 * block], *before = new unsigned[3 * block];
  for (int rounds = 0; rounds < 9; rounds++) {
    rotate_values<<<blocks, block>>>(out.device, rounds, 7);
    for (int t = 0; t < block; t++)
      values[t] = t, values[block + t] = t * 10 + 1, values[2 * block + t] = 1000;
    for (int round = 0; round < rounds && round < 7; round++) {
      memcpy(before, values, 3 * block * sizeof(unsigned));
      for (int t = 0; t < block; t++) { // a, b, c become b, c, a + round + the neighbour's b
        values[t] = before[block + t];
        values[block + t] = before[2 * block + t];
        values[2 * block + t] = before[t] + round + before[block + (t + 1) % block];
      }
      if (round % 3 != 1)
        continue;
      memcpy(before, values, 3 * block * sizeof(unsigned));
      for (int t = 0; t < block; t++) {
        values[t] = before[2 * block + t];
        values[2 * block + t] = before[block - 1 - t] + before[block + t];
      }
    }
    out.download();
    for (int i = 0; i < n; i++) {
      int t = i % block;
      expect(i, out[i], values[t] + 3 * values[block + t] + 5 * values[2 * block + t]);
    }
  }
  delete[] values;
  delete[] before;
  return passed();
}
