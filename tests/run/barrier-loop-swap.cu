// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that change places in every iteration of a loop with barriers: each new one needs the other's old one.
#include "check.h"

__global__ void rotate_values(unsigned *out, int iterations, int stop) {
  __shared__ unsigned ring[1024];
  unsigned me = threadIdx.x, size = blockDim.x, a = me, b = me * 10 + 1, c = 1000;
  for (int iteration = 0; iteration < iterations; iteration++) {
    if (iteration == stop)
      break;
    unsigned old = a;
    a = b;
    b = c;
    c = old + iteration;
    ring[me] = a;
    __syncthreads();
    c += ring[(me + 1) % size];
    __syncthreads();
    if (iteration % 3 == 1) {
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
  for (int iterations = 0; iterations < 9; iterations++) {
    rotate_values<<<blocks, block>>>(out.device, iterations, 7);
    for (int t = 0; t < block; t++)
      values[t] = t, values[block + t] = t * 10 + 1, values[2 * block + t] = 1000;
    for (int iteration = 0; iteration < iterations && iteration < 7; iteration++) {
      memcpy(before, values, 3 * block * sizeof(unsigned));
      for (int t = 0; t < block; t++) { // a, b, c become b, c, a + iteration + the neighbour's b
        values[t] = before[block + t];
        values[block + t] = before[2 * block + t];
        values[2 * block + t] = before[t] + iteration + before[block + (t + 1) % block];
      }
      if (iteration % 3 != 1)
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
