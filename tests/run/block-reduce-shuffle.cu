// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block sum as libraries do it: shuffles in each warp, one shared slot a warp, shuffles in warp 0.
#include "check.h"

__device__ int warp_sum(int value, int lanes) {
  for (int offset = 16; offset > 0; offset >>= 1) {
    int other = __shfl_down_sync(0xffffffffu, value, offset);
    if ((int)(threadIdx.x % 32) + offset < lanes)
      value += other;
  }
  return value;
}

__device__ int block_sum(int value) {
  __shared__ int parts[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32;
  int left = blockDim.x - warp * 32;
  value = warp_sum(value, left < 32 ? left : 32);
  if (lane == 0)
    parts[warp] = value;
  __syncthreads();
  int lanes = blockDim.x < 32 ? blockDim.x : 32;
  value = threadIdx.x < warps ? parts[lane] : 0;
  if (warp == 0)
    value = warp_sum(value, lanes);
  return value;
}

__global__ void sum(const int *in, int *out, int n) {
  int total = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    total += in[i];
  total = block_sum(total);
  if (threadIdx.x == 0)
    atomicAdd(out, total);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 7001;
  buffer<int> in(n), out(1);
  int expected = 0;
  for (int i = 0; i < n; i++)
    expected += in[i] = i % 131 - 40;
  in.upload();
  out.upload();
  sum<<<6, block>>>(in.device, out.device, n);
  out.download();
  expect(0, out[0], expected);
  return passed();
}
