// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warps of a block that wait for each other between operations of the warp, or in loops in which their lanes count on running in step:
// on a GPU each warp gets on.
#include "check.h"

// The first warp produces what the others consume, each at an address of its own.
__global__ void pipe(const int *in, int *out, int iterations) {
  __shared__ volatile int full[32], item[32];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
  if (lane == 0)
    full[warp] = 0;
  __syncthreads();
  in += blockIdx.x * iterations * blockDim.x, out += blockIdx.x * blockDim.x;
  if (warp == 0) {
    for (int r = 0; r < iterations; r++)
      for (int w = 1; w < warps; w++) {
        int v = in[(r * warps + w) * 32 + lane];
        for (int d = 16; d; d /= 2)
          v += __shfl_xor_sync(~0u, v, d);
        if (lane == 0) {
          while (full[w]) {}
          item[w] = v;
          __threadfence_block();
          full[w] = 1;
        }
        __syncwarp();
      }
  } else {
    int sum = 0;
    for (int r = 0; r < iterations; r++) {
      while (!full[warp]) {}
      int v = item[warp];
      __syncwarp();
      if (lane == 0) {
        __threadfence_block();
        full[warp] = 0;
      }
      sum += __shfl_sync(~0u, v, r) * (r + 1);
      __syncwarp();
    }
    out[threadIdx.x] = sum + lane;
  }
}

// The last warp begins, and each tells the one before it: a sum of the lanes is handed on.
__global__ void hand_on(const int *in, volatile int *sums, volatile int *ready) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, warps = gridDim.x * blockDim.x / 32;
  int v = in[warp * 32 + threadIdx.x % 32];
  if (warp < warps - 1)
    while (!ready[warp + 1]) {}
  for (int d = 16; d; d /= 2)
    v += __shfl_xor_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) {
    sums[warp] = v + (warp < warps - 1 ? sums[warp + 1] : 0);
    __threadfence();
    ready[warp] = 1;
  }
}

// Labels spread along a chain through all threads. Lanes look and write in step; each warp waits for the one before it, too.
__global__ void flood(const int *next, int *label, int *iterations) {
  __shared__ volatile int now[1024], changed[32], done[32];
  int t = threadIdx.x, lane = t % 32, warp = t / 32, to = next[t], count = 0, others;
  now[t] = t;
  if (lane == 0)
    done[warp] = 0;
  __syncthreads();
  do {
    others = warp > 0 && !done[warp - 1];
    if (lane == 31)
      changed[warp] = 0;
    int other = now[to];
    if (other < now[t]) {
      now[t] = other;
      changed[warp] = 1;
    }
    count++;
  } while (changed[warp] || others);
  if (lane == 0)
    done[warp] = 1;
  label[blockIdx.x * blockDim.x + t] = now[t];
  if (t == 0)
    iterations[blockIdx.x] = count;
}

int main(int argc, char **argv) {
  int block = (block_size(argc, argv) + 31) / 32 * 32, warps = block / 32, blocks = 2, iterations = 7;
  buffer<int> in(blocks * block * iterations), out(blocks * block), sums(blocks * warps), ready(blocks * warps);
  for (int i = 0; i < in.count; i++)
    in[i] = i * 7 % 31;
  in.upload();
  pipe<<<blocks, block>>>(in.device, out.device, iterations);
  CHECK(cudaDeviceSynchronize());
  out.download();
  for (int b = 0; b < blocks; b++)
    for (int w = 1; w < warps; w++) {
      int sum = 0;
      for (int r = 0; r < iterations; r++) {
        int v = 0;
        for (int l = 0; l < 32; l++)
          v += in[((b * iterations + r) * warps + w) * 32 + l];
        sum += v * (r + 1);
      }
      for (int l = 0; l < 32; l++)
        expect(b * block + w * 32 + l, out[b * block + w * 32 + l], sum + l);
    }

  ready.upload();
  hand_on<<<blocks, block>>>(in.device, sums.device, ready.device);
  CHECK(cudaDeviceSynchronize());
  sums.download();
  for (int w = blocks * warps - 1, sum = 0; w >= 0; w--) {
    for (int l = 0; l < 32; l++)
      sum += in[w * 32 + l];
    expect(w, sums[w], sum);
  }

  buffer<int> next(block), label(blocks * block), count(blocks);
  for (int i = 0; i < block; i++)
    next[i] = i ? i - 1 : 0;
  next.upload();
  flood<<<blocks, block>>>(next.device, label.device, count.device);
  CHECK(cudaDeviceSynchronize());
  label.download(), count.download();
  for (int i = 0; i < blocks * block; i++)
    expect(i, label[i], 0);
  for (int b = 0; b < blocks; b++)
    expect(b, count[b], 32); // a step an iteration, and one that changes nothing
  return passed();
}
