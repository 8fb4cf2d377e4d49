// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tree reduction, stride doubling, the bound read from blockDim.
#include "check.h"

__global__ void max_blocks(const int *in, int *largest, int n) {
  __shared__ int tile[1024];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : -2147483647;
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    unsigned index = 2 * stride * threadIdx.x;
    if (index + stride < blockDim.x && tile[index + stride] > tile[index])
      tile[index] = tile[index + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    largest[blockIdx.x] = tile[0];
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  const int n = 2777, blocks = blocks_for(n, block);
  buffer<int> in(n), largest(blocks);
  unsigned state = 7;
  for (int i = 0; i < n; i++)
    in[i] = (int)(next_random(state) % 100000) - 50000;
  in.upload();
  max_blocks<<<blocks, block>>>(in.device, largest.device, n);
  largest.download();
  for (int b = 0; b < blocks; b++) {
    int expected = in[b * block];
    for (int i = b * block; i < n && i < (b + 1) * block; i++)
      if (in[i] > expected)
        expected = in[i];
    expect(b, largest[b], expected);
  }
  return passed();
}
