// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared arrays that ask for more than a cache line's alignment, of fixed and of dynamic size.
#include "check.h"

template <int ALIGNMENT> __global__ void fixed_size(unsigned *out, float value) {
  __shared__ char before[40];
  __shared__ __align__(ALIGNMENT) float values[1024];
  before[threadIdx.x % 40] = 1;
  values[threadIdx.x] = value;
  __syncthreads();
  unsigned rest = (unsigned)((unsigned long long)values & (ALIGNMENT - 1));
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      rest + (values[blockDim.x - 1 - threadIdx.x] != value) + (before[0] != 1);
}

extern __shared__ __align__(512) unsigned char room[];
__global__ void dynamic_size(unsigned *out) {
  room[threadIdx.x] = (unsigned char)threadIdx.x;
  __syncthreads();
  unsigned other = blockDim.x - 1 - threadIdx.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      (unsigned)((unsigned long long)room & 511) + (room[other] != (unsigned char)other);
}

// Two names of one piece of memory: it is aligned as the one that asks for more.
extern __shared__ char plain[];
__global__ void dynamic_size_by_two_names(unsigned *out) {
  __shared__ int fixed[40];
  fixed[threadIdx.x % 40] = 1;
  plain[threadIdx.x] = (char)threadIdx.x;
  __syncthreads();
  unsigned other = blockDim.x - 1 - threadIdx.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      (unsigned)((unsigned long long)room & 511) + (room[other] != (unsigned char)other) + (fixed[0] != 1);
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv), grid = 8;
  buffer<unsigned> out(grid * block);
  auto check = [&] {
    out.download();
    for (int i = 0; i < grid * block; i++)
      expect(i, out[i], 0u);
  };
  fixed_size<16><<<grid, block>>>(out.device, 5);
  check();
  fixed_size<128><<<grid, block>>>(out.device, 6);
  check();
  fixed_size<1024><<<grid, block>>>(out.device, 7);
  check();
  dynamic_size<<<grid, block, block>>>(out.device);
  check();
  dynamic_size_by_two_names<<<grid, block, block>>>(out.device);
  check();
  return passed();
}
