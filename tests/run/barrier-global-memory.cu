// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier that orders global memory among the threads of a block, without shared memory.
#include "check.h"

__global__ void relay(int *board, int *out, int rounds) {
  int me = threadIdx.x, size = blockDim.x;
  int *mine = board + blockIdx.x * size;
  mine[me] = me * me;
  for (int round = 0; round < rounds; round++) {
    __syncthreads();
    int taken = mine[(me + 1) % size];
    __syncthreads();
    mine[me] = taken + 1;
  }
  __syncthreads();
  out[blockIdx.x * size + me] = mine[size - 1 - me];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 5, n = block * blocks, rounds = 4;
  buffer<int> board(n), out(n);
  relay<<<blocks, block>>>(board.device, out.device, rounds);
  out.download();
  for (int i = 0; i < n; i++) {
    int origin = (block - 1 - i % block + rounds) % block;
    expect(i, out[i], origin * origin + rounds);
  }
  return passed();
}
