// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __syncwarp orders shared memory within a warp: a warp-wide tree sum in place.
#include "check.h"

__global__ void sum_warps(const int *in, int *sums, int warps) {
  __shared__ int tile[1024 + 32];
  int thread = threadIdx.x, lane = thread % 32, i = blockIdx.x * blockDim.x + thread;
  tile[thread] = in[i];
  if (thread == blockDim.x - 1)
    for (int k = 1; k < 32; k++)
      tile[thread + k] = 0;
  __syncthreads();
  for (int offset = 16; offset > 0; offset /= 2) {
    int add = lane < offset ? tile[thread + offset] : 0;
    __syncwarp();
    tile[thread] += add;
    __syncwarp();
  }
  if (lane == 0)
    sums[blockIdx.x * warps + thread / 32] = tile[thread];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks, warps = blocks_for(block, 32);
  buffer<int> in(n), sums(blocks * warps);
  for (int i = 0; i < n; i++)
    in[i] = (i * 13) % 71 - 25;
  in.upload();
  sum_warps<<<blocks, block>>>(in.device, sums.device, warps);
  sums.download();
  int *expected = new int[blocks * warps]();
  for (int i = 0; i < n; i++)
    expected[i / block * warps + i % block / 32] += in[i];
  for (int k = 0; k < blocks * warps; k++)
    expect(k, sums[k], expected[k]);
  delete[] expected;
  return passed();
}
