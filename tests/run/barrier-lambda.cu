// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lambda inside the kernel, with a barrier in its body, passed to a function template.
#include "check.h"

template <typename Body> __device__ void repeat(int times, Body body) {
  for (int iteration = 0; iteration < times; iteration++)
    body(iteration);
}

__global__ void run(int *out, int times) {
  __shared__ int ring[1024];
  int me = threadIdx.x, size = blockDim.x, hops = 0;
  ring[me] = me;
  __syncthreads();
  repeat(times, [&](int iteration) {
    int taken = ring[(me + iteration) % size];
    __syncthreads();
    ring[me] = taken;
    hops += iteration;
    __syncthreads();
  });
  out[blockIdx.x * size + me] = ring[me] * 100 + hops;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<int> out(n);
  for (int times = 0; times < 5; times++) {
    run<<<blocks, block>>>(out.device, times);
    out.download();
    int hops = times * (times - 1) / 2;
    for (int i = 0; i < n; i++)
      expect(i, out[i], (i % block + hops) % block * 100 + hops);
  }
  return passed();
}
