// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One dynamic shared array carved into parts of three types by pointer arithmetic.
#include "check.h"

__global__ void carve(int *out) {
  extern __shared__ double storage[];
  int me = threadIdx.x, size = blockDim.x, last = size - 1;
  double *doubles = storage;
  float *floats = (float *)(doubles + size);
  short *shorts = (short *)&floats[size];
  doubles[me] = me * 1000.0;
  floats[me] = me * 10.0f;
  shorts[me] = me;
  __syncthreads();
  out[blockIdx.x * size + me] = (int)doubles[last - me] + (int)floats[(me + 1) % size] + shorts[me / 2];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks;
  buffer<int> out(n);
  size_t bytes = block * (sizeof(double) + sizeof(float) + sizeof(short));
  carve<<<blocks, block, bytes>>>(out.device);
  out.download();
  for (int i = 0; i < n; i++) {
    int me = i % block;
    expect(i, out[i], (block - 1 - me) * 1000 + (me + 1) % block * 10 + me / 2);
  }
  return passed();
}
