// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tree reduction, stride halving: a barrier in a uniform for loop.
#include "check.h"

__global__ void sum_blocks(const int *in, int *sums, int n, int padded) {
  __shared__ int tile[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int stride = padded / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride && threadIdx.x + stride < blockDim.x)
      tile[threadIdx.x] += tile[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = tile[0];
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  int padded = 1;
  while (padded < block)
    padded *= 2;
  const int n = 3001, blocks = blocks_for(n, block);
  buffer<int> in(n), sums(blocks);
  for (int i = 0; i < n; i++)
    in[i] = i * i % 101 - 20;
  in.upload();
  sum_blocks<<<blocks, block>>>(in.device, sums.device, n, padded);
  sums.download();
  for (int b = 0; b < blocks; b++) {
    int expected = 0;
    for (int i = b * block; i < n && i < (b + 1) * block; i++)
      expected += in[i];
    expect(b, sums[b], expected);
  }
  return passed();
}
