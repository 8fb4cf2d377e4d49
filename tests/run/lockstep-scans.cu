// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prefix sums of warps in shared memory that count on lanes in step: after Kogge and Stone with zeros in front, after Hillis and Steele
// with conditions, in two buffers, exclusive ones, and a block's out of its warps'. Volatile and plain.
#include "check.h"

// Each warp has 32 zeros in front of its 32 elements.
__device__ int scan_warp(int value, volatile int *tile) {
  int at = 2 * threadIdx.x - (threadIdx.x & 31);
  tile[at] = 0;
  at += 32;
  tile[at] = value;
  tile[at] = value = value + tile[at - 1];
  tile[at] = value = value + tile[at - 2];
  tile[at] = value = value + tile[at - 4];
  tile[at] = value = value + tile[at - 8];
  tile[at] = value = value + tile[at - 16];
  return tile[at - 1]; // without the own one
}

__global__ void with_zeros(const int *in, int *out, int *exclusive) {
  __shared__ int tile[2048];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  exclusive[i] = scan_warp(in[i], tile);
  out[i] = tile[2 * threadIdx.x - (threadIdx.x & 31) + 32];
}

__global__ void with_conditions(const int *in, int *out) {
  __shared__ volatile int tile[1024];
  int thread = threadIdx.x, lane = thread % 32, i = blockIdx.x * blockDim.x + thread;
  tile[thread] = in[i];
  if (lane >= 1)
    tile[thread] += tile[thread - 1];
  if (lane >= 2)
    tile[thread] += tile[thread - 2];
  if (lane >= 4)
    tile[thread] += tile[thread - 4];
  if (lane >= 8)
    tile[thread] += tile[thread - 8];
  if (lane >= 16)
    tile[thread] += tile[thread - 16];
  out[i] = tile[thread];
}

__global__ void in_loop(const int *in, int *out) {
  __shared__ int tile[1024];
  int thread = threadIdx.x, lane = thread & 31, i = blockIdx.x * blockDim.x + thread;
  tile[thread] = in[i];
  for (int step = 1; step < 32; step *= 2)
    if (lane >= step)
      tile[thread] += tile[thread - step];
  out[i] = tile[thread];
}

// The number of lanes that take part comes from outside.
__global__ void two_buffers(const int *in, int *out, int width) {
  __shared__ volatile int tile[2][1024];
  int thread = threadIdx.x, lane = thread % width, i = blockIdx.x * blockDim.x + thread, now = 0;
  tile[now][thread] = in[i];
  for (int step = 1; step < width; step *= 2) {
    if (lane >= step)
      tile[1 - now][thread] = tile[now][thread] + tile[now][thread - step];
    else
      tile[1 - now][thread] = tile[now][thread];
    now = 1 - now;
  }
  out[i] = tile[now][thread];
}

// Sums of warps, then the first warp scans those: three steps, two barriers.
__global__ void of_block(const int *in, int *out) {
  __shared__ volatile int tile[1024];
  __shared__ volatile int sums[32];
  int thread = threadIdx.x, lane = thread & 31, warp = thread >> 5, i = blockIdx.x * blockDim.x + thread;
  int warps = (blockDim.x + 31) / 32, value = in[i];
  tile[thread] = value;
  for (int step = 1; step < 32; step <<= 1)
    if (lane >= step)
      tile[thread] = value = value + tile[thread - step];
  if (lane == 31 || thread == blockDim.x - 1)
    sums[warp] = value;
  __syncthreads();
  if (warp == 0 && lane < warps)
    for (int step = 1; step < 32; step <<= 1)
      if (lane >= step)
        sums[lane] += sums[lane - step];
  __syncthreads();
  out[i] = value + (warp > 0 ? sums[warp - 1] : 0);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks;
  buffer<int> in(n), out(n), exclusive(n);
  for (int i = 0; i < n; i++)
    in[i] = (i * 13) % 71 - 25;
  in.upload();
  for (int kernel = 0; kernel < 6; kernel++) {
    if (kernel == 0)
      with_zeros<<<blocks, block>>>(in.device, out.device, exclusive.device);
    if (kernel == 1)
      with_conditions<<<blocks, block>>>(in.device, out.device);
    if (kernel == 2)
      in_loop<<<blocks, block>>>(in.device, out.device);
    if (kernel == 3)
      two_buffers<<<blocks, block>>>(in.device, out.device, 32);
    if (kernel == 4)
      two_buffers<<<blocks, block>>>(in.device, out.device, 8);
    if (kernel == 5)
      of_block<<<blocks, block>>>(in.device, out.device);
    CHECK(cudaDeviceSynchronize());
    out.download();
    exclusive.download();
    const int width = kernel == 4 ? 8 : kernel == 5 ? block : 32;
    int sum = 0;
    for (int i = 0; i < n; i++) {
      int thread = i % block;
      if (thread % width == 0 || thread == 0)
        sum = 0;
      if (kernel == 0)
        expect(10000 + i, exclusive[i], sum);
      sum += in[i];
      expect(kernel * 100000 + i, out[i], sum);
    }
  }
  return passed();
}
