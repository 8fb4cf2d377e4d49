// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A do-while loop whose condition reads shared memory after the barrier.
#include "check.h"

// Every thread adds its share to a shared sum until the sum passes the limit.
__global__ void fill_up(int *rounds_taken, int *level, int limit) {
  __shared__ int sum;
  __shared__ int snapshot;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  int rounds = 0;
  do {
    atomicAdd(&sum, (int)threadIdx.x + 1);
    rounds++;
    __syncthreads();
    if (threadIdx.x == 0)
      snapshot = sum;
    __syncthreads();
  } while (snapshot < limit);
  rounds_taken[blockIdx.x * blockDim.x + threadIdx.x] = rounds;
  level[blockIdx.x * blockDim.x + threadIdx.x] = snapshot;
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  const int blocks = 4, share = block * (block + 1) / 2;
  buffer<int> rounds(blocks * block), level(blocks * block);
  for (int wanted = 1; wanted <= 5; wanted++) {
    fill_up<<<blocks, block>>>(rounds.device, level.device, share * (wanted - 1) + 1);
    rounds.download();
    level.download();
    for (int i = 0; i < blocks * block; i++) {
      expect(i, rounds[i], wanted);
      expect(i, level[i], wanted * share);
    }
  }
  return passed();
}
