// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A return out of a loop with barriers, taken by whole blocks after different numbers of iterations.
#include "check.h"

__global__ void leave_early(int *out) {
  __shared__ int left;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    left = blockIdx.x;
  __syncthreads();
  for (int iteration = 0;; iteration++) {
    int now = left;
    __syncthreads();
    if (now == 0) {
      out[i] = iteration;
      return;
    }
    if (threadIdx.x == blockDim.x - 1)
      left--;
    __syncthreads();
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 9, n = block * blocks;
  buffer<int> out(n);
  leave_early<<<blocks, block>>>(out.device);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], i / block);
  return passed();
}
