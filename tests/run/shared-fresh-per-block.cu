// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory belongs to one block: many blocks count in it at once, and none sees another's count.
#include "check.h"

__global__ void count_own(int *out) {
  __shared__ int counter;
  __shared__ int lowest;
  if (threadIdx.x == 0) {
    counter = 0;
    lowest = blockIdx.x;
  }
  __syncthreads();
  for (int k = 0; k < 20; k++)
    atomicAdd(&counter, 1);
  atomicMin(&lowest, (int)blockIdx.x);
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1)
    out[blockIdx.x] = counter * 1000 + lowest;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 300;
  buffer<int> out(blocks);
  count_own<<<blocks, block>>>(out.device);
  out.download();
  for (int b = 0; b < blocks; b++)
    expect(b, out[b], block * 20 * 1000 + b);
  return passed();
}
