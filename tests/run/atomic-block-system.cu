// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The _block and _system forms of the atomics, and atomicAdd_block on shared memory.
#include "check.h"

__global__ void apply(int *cells, unsigned long long *wide) {
  __shared__ int sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  atomicAdd_block(&sum, (int)threadIdx.x);
  atomicAdd_system(&cells[0], 1);
  atomicMax_system(&cells[1], (int)(blockIdx.x * blockDim.x + threadIdx.x));
  atomicOr_system(&cells[2], 1 << threadIdx.x % 31);
  atomicAdd_system(wide, 1ull << 33);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(&cells[3], sum);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 6;
  buffer<int> cells(4);
  buffer<unsigned long long> wide(1);
  cells.upload();
  wide.upload();
  apply<<<blocks, block>>>(cells.device, wide.device);
  cells.download();
  wide.download();
  int bits = 0;
  for (int t = 0; t < block; t++)
    bits |= 1 << t % 31;
  expect(0, cells[0], blocks * block);
  expect(1, cells[1], blocks * block - 1);
  expect(2, cells[2], bits);
  expect(3, cells[3], blocks * (block * (block - 1) / 2));
  expect(4, wide[0], ((unsigned long long)blocks * block) << 33);
  return passed();
}
