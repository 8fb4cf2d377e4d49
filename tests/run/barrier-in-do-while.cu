// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A do-while loop whose condition reads shared memory after the barrier.
#include "check.h"

// Every thread adds its share to a shared sum until the sum passes the limit.
__global__ void fill_up(int *iterations_taken, int *level, int limit) {
  __shared__ int sum;
  __shared__ int snapshot;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  int iterations = 0;
  do {
    atomicAdd(&sum, (int)threadIdx.x + 1);
    iterations++;
    __syncthreads();
    if (threadIdx.x == 0)
      snapshot = sum;
    __syncthreads();
  } while (snapshot < limit);
  iterations_taken[blockIdx.x * blockDim.x + threadIdx.x] = iterations;
  level[blockIdx.x * blockDim.x + threadIdx.x] = snapshot;
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  const int blocks = 4, share = block * (block + 1) / 2;
  buffer<int> iterations(blocks * block), level(blocks * block);
  for (int wanted = 1; wanted <= 5; wanted++) {
    fill_up<<<blocks, block>>>(iterations.device, level.device, share * (wanted - 1) + 1);
    iterations.download();
    level.download();
    for (int i = 0; i < blocks * block; i++) {
      expect(i, iterations[i], wanted);
      expect(i, level[i], wanted * share);
    }
  }
  return passed();
}
