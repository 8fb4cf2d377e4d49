// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of what is made wider part by part, and divisions of sums that wrap around: the next thread of the grid does not
// always have the next index.
#include "check.h"

typedef unsigned long long u64;
typedef long long s64;

__global__ void shifted(u64 *out) {
  u64 sum = (u64)(threadIdx.x - 5u) + (u64)blockIdx.x * blockDim.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void scaled(u64 *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = (u64)(blockIdx.x * blockDim.x * 0x1000003u) + (u64)(threadIdx.x * 0x1000003u);
}

__global__ void divided(int *out, int seed) {
  int number = (int)(blockIdx.x * 374761376u) + (int)threadIdx.x; // 374761376 is a multiple of 32
  int lane = number % 32, warp = number / 32;
  out[blockIdx.x * blockDim.x + threadIdx.x] = lane * 3 + __shfl_sync(__activemask(), warp, threadIdx.x % 32) + seed;
}

__global__ void rim(int *out, const int *in, unsigned width, unsigned n) {
  unsigned i = (blockIdx.x - 1) * width + threadIdx.x;
  if (i < n)
    out[i] = in[i] + 1;
}

__global__ void differences(s64 *out, float *kept, int iterations, const float *in) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i;
  s64 mixed = 0;
  for (int k = 0; k < iterations; k++) {
    s64 x = (s64)i - (s64)(((blockDim.x - 1u) - i * 3u) * 4u);
    mixed ^= x + k;
    sum += in[k & 15] * sum;
    sum *= in[(k + 1) & 15] + sum;
  }
  out[i] = mixed;
  kept[i] = sum;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), grid = 40, n = grid * block, iterations = 9;
  buffer<u64> wide(n);
  shifted<<<grid, block>>>(wide.device);
  wide.download();
  for (int i = 0; i < n; i++)
    expect(i, wide[i], (u64)((unsigned)(i % block) - 5u) + (u64)(i / block) * block);
  scaled<<<grid, block>>>(wide.device);
  wide.download();
  for (int i = 0; i < n; i++)
    expect(i, wide[i], (u64)((unsigned)(i / block * block) * 0x1000003u) + (u64)((unsigned)(i % block) * 0x1000003u));
  buffer<int> numbers(n);
  divided<<<grid, block>>>(numbers.device, 1);
  numbers.download();
  for (int i = 0; i < n; i++) {
    int number = (int)((unsigned)(i / block) * 374761376u) + i % block;
    expect(i, numbers[i], number % 32 * 3 + number / 32 + 1);
  }
  buffer<s64> mixed(n);
  buffer<float> in(16), kept(n);
  for (int k = 0; k < 16; k++)
    in[k] = 0;
  in.upload();
  differences<<<grid, block>>>(mixed.device, kept.device, iterations, in.device);
  mixed.download();
  for (int i = 0; i < n; i++) {
    s64 x = (s64)i - (s64)((unsigned)((block - 1u) - (unsigned)i * 3u) * 4u), expected = 0;
    for (int k = 0; k < iterations; k++)
      expected ^= x + k;
    expect(i, mixed[i], expected);
  }
  const unsigned width = block > 2 ? block - 2 : block, limit = 3 * block;
  buffer<int> from(4096), to(4096);
  for (int i = 0; i < 4096; i++)
    from[i] = i, to[i] = -1;
  from.upload();
  to.upload();
  rim<<<4, block>>>(to.device, from.device, width, limit);
  to.download();
  for (unsigned i = 0; i < 4096; i++) {
    bool reached = false;
    for (unsigned b = 0; b < 4; b++)
      reached = reached || i - (b - 1) * width < (unsigned)block;
    expect((int)i, to[i], reached && i < limit ? (int)i + 1 : -1);
  }
  return passed();
}
