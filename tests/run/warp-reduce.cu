// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp sum by shuffles in a device function, with zero put in for lanes that the block does not have.
#include "check.h"

__device__ int warp_sum(int value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    int other = __shfl_down_sync(0xffffffffu, value, offset);
    if (threadIdx.x + offset < blockDim.x)
      value += other;
  }
  return value;
}

__global__ void reduce(const int *in, int *sums, int n, int warps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = warp_sum(i < n ? in[i] : 0);
  if (threadIdx.x % 32 == 0)
    sums[blockIdx.x * warps + threadIdx.x / 32] = sum;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 1100, blocks = blocks_for(n, block), warps = blocks_for(block, 32);
  buffer<int> in(n), sums(blocks * warps);
  for (int i = 0; i < n; i++)
    in[i] = i % 29 - 11;
  in.upload();
  reduce<<<blocks, block>>>(in.device, sums.device, n, warps);
  sums.download();
  int *expected = new int[blocks * warps]();
  for (int i = 0; i < n; i++)
    expected[i / block * warps + i % block / 32] += in[i];
  for (int k = 0; k < blocks * warps; k++)
    expect(k, sums[k], expected[k]);
  delete[] expected;
  return passed();
}
