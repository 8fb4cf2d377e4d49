// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier that orders global memory among the threads of a block, without shared memory.
#include "check.h"

__global__ void relay(int *board, int *out, int iterations) {
  int me = threadIdx.x, size = blockDim.x;
  int *mine = board + blockIdx.x * size;
  mine[me] = me * me;
  for (int iteration = 0; iteration < iterations; iteration++) {
    __syncthreads();
    int taken = mine[(me + 1) % size];
    __syncthreads();
    mine[me] = taken + 1;
  }
  __syncthreads();
  out[blockIdx.x * size + me] = mine[size - 1 - me];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 5, n = block * blocks, iterations = 4;
  buffer<int> board(n), out(n);
  relay<<<blocks, block>>>(board.device, out.device, iterations);
  out.download();
  for (int i = 0; i < n; i++) {
    int origin = (block - 1 - i % block + iterations) % block;
    expect(i, out[i], origin * origin + iterations);
  }
  return passed();
}
