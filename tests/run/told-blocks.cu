// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that tell each other how far they are: by a release of one thread after a barrier for all, and between a store and a
// loop that stores nothing there any more.
#include "check.h"

__device__ unsigned arrive(unsigned *count) {
  unsigned before;
  asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], 1;" : "=r"(before) : "l"(count) : "memory");
  return before;
}

__global__ void read_each_other(unsigned *part, unsigned *count, unsigned *missing, int iterations) {
  __shared__ unsigned seen[1024];
  unsigned t = threadIdx.x, n = blockDim.x, x = t + 1, gaps = 0;
  for (unsigned i = 0; i < iterations * (1 + blockIdx.x); i++)
    x = x * 1664525u + (x >> 7);
  part[blockIdx.x * n + t] = x | 1;
  __syncthreads();
  seen[t] = arrive(count) >= n; // one of the other block at least
  __syncthreads();
  if (seen[n - 1 - t])
    for (unsigned i = 0; i < n; i++)
      gaps += part[(1 - blockIdx.x) * n + i] == 0;
  missing[blockIdx.x * n + t] = gaps;
}

__global__ void hand_over(float *place, int *flag, const float *in, int n, float limit) {
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    *place = 1.0f;
    __threadfence();
    atomicExch(flag, 1);
    for (int i = 0; i < n; i++)
      if (in[i] > limit)
        *place += in[i] * 0.5f;
  } else {
    while (atomicAdd(flag, 0) == 0) {}
    __threadfence();
    *place = 42.0f;
  }
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  buffer<unsigned> part(2 * block), count(1), missing(2 * block);
  for (int repeat = 0; repeat < 10; repeat++) {
    CHECK(cudaMemset(part.device, 0, 2 * block * sizeof(unsigned)));
    CHECK(cudaMemset(count.device, 0, sizeof(unsigned)));
    read_each_other<<<2, block>>>(part.device, count.device, missing.device, 5000);
    missing.download();
    for (int i = 0; i < 2 * block; i++)
      expect(i, missing[i], 0u);
  }
  const int n = 1 << 22;
  buffer<float> in(n), place(1);
  buffer<int> flag(1);
  for (int i = 0; i < n; i++)
    in[i] = i & 255;
  flag[0] = 0;
  in.upload();
  flag.upload();
  hand_over<<<2, block>>>(place.device, flag.device, in.device, n, 1000);
  place.download();
  expect(0, place[0], 42.0f);
  return passed();
}
