// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In each iteration of a loop with barriers some threads return for good; the rest go on meeting at the barriers.
#include "check.h"

__global__ void thin_out(int *out, int *sizes) {
  __shared__ int present;
  int me = threadIdx.x, size = blockDim.x, i = blockIdx.x * size + me;
  for (int iteration = 0; iteration < 6; iteration++) {
    __syncthreads();
    if (me == size - 1)
      present = 0; // the last thread never leaves
    __syncthreads();
    atomicAdd(&present, 1);
    __syncthreads();
    if (me == size - 1)
      sizes[blockIdx.x * 6 + iteration] = present;
    out[i] = iteration;
    if (me % 6 == iteration && me != size - 1)
      return;
  }
  out[i] = 6;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<int> out(n), sizes(blocks * 6);
  thin_out<<<blocks, block>>>(out.device, sizes.device);
  out.download();
  sizes.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], i % block == block - 1 ? 6 : i % block % 6);
  for (int iteration = 0; iteration < 6; iteration++) {
    int present = 0;
    for (int t = 0; t < block; t++)
      present += t == block - 1 || t % 6 >= iteration;
    for (int b = 0; b < blocks; b++)
      expect(iteration, sizes[b * 6 + iteration], present);
  }
  return passed();
}
