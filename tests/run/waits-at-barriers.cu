// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that wait for those of other blocks in a loop that also writes and has a barrier of the block in it: each hands values down a
// tree whose nodes the blocks share.
#include "check.h"

__global__ void number(int nodes, const int *left, volatile int *start, const int *count) {
  int k = threadIdx.x + blockIdx.x * blockDim.x;
  while (k < nodes) {
    int first = start[k];
    if (first >= 0) {
      int child = left[k];
      if (child >= 0) {
        start[child] = first + 1;
        start[child + 1] = first + 1 + count[child];
      }
      k += blockDim.x * gridDim.x;
    }
    __syncthreads();
  }
}

int main(int argc, char **argv) {
  const int nodes = (1 << 13) - 1;
  int *left, *start, *count;
  CHECK(cudaMallocManaged(&left, nodes * sizeof(int)));
  CHECK(cudaMallocManaged(&start, nodes * sizeof(int)));
  CHECK(cudaMallocManaged(&count, nodes * sizeof(int)));
  for (int i = nodes - 1; i >= 0; i--) {
    int child = 2 * i + 1 < nodes ? 2 * i + 1 : -1;
    left[i] = child, start[i] = -1, count[i] = child < 0 ? 1 : 1 + count[child] + count[child + 1];
  }
  start[0] = 0;
  number<<<4, block_size(argc, argv)>>>(nodes, left, start, count);
  CHECK(cudaDeviceSynchronize());
  bool *taken = new bool[nodes](); // each value by one node
  for (int i = 0; i < nodes; i++) {
    expect(i, start[i] >= 0 && start[i] < nodes && !taken[start[i]], true);
    taken[start[i]] = true;
  }
  return passed();
}
