// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histograms whose threads count several times: equal values in a row, weights, sums of 64 bits that wrap around, tables that hold
// something before, that are looked at between two loops, or in the loop itself.
#include "check.h"

const int bins = 64;

// What the table holds before the first loop, and after it, counts too.
__global__ void several(const unsigned *in, unsigned *first, unsigned *counts, int n) {
  __shared__ unsigned local[bins];
  for (int k = threadIdx.x; k < bins; k += blockDim.x)
    local[k] = 5 * k;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned word = in[i];
    atomicAdd(&local[word % bins], 1u);
    atomicAdd(&local[(word >> 8) % bins], 2u);
    if (word & 1 << 20)
      atomicAdd(&local[(word >> 16) % bins], word >> 24);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < bins; k += blockDim.x)
    atomicAdd(&first[k], local[k]);
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&local[in[i] % bins], 3u);
    atomicAdd(&local[bins - 1 - in[i] % bins], 1u);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < bins; k += blockDim.x)
    atomicAdd(&counts[k], local[k]);
}

__global__ void wide(const unsigned *in, unsigned long long *sums, int n) {
  __shared__ unsigned long long local[bins];
  for (int k = threadIdx.x; k < bins; k += blockDim.x)
    local[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&local[in[i] % bins], 0x4000000000000001ull);
    atomicAdd(&local[in[i] >> 8 & 3], (unsigned long long)in[i]);
    atomicAdd(&local[0], 1ull);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < bins; k += blockDim.x)
    atomicAdd(&sums[k], local[k]);
}

// Each count is given out as a position: no two threads get the same.
__global__ void places(const unsigned *in, unsigned *taken, unsigned *counts, int n) {
  __shared__ unsigned local[bins];
  for (int k = threadIdx.x; k < bins; k += blockDim.x)
    local[k] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    unsigned place = atomicAdd(&local[in[i] % bins], 1u);
    atomicAdd(&local[(in[i] + 1) % bins], 0u);
    atomicAdd(&taken[in[i] % bins * n + place], 1u);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < bins; k += blockDim.x)
    counts[k] = local[k];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 20000, some = 500, blocks = 9;
  buffer<unsigned> in(n), first(bins), counts(bins), taken(bins * some), own(bins);
  buffer<unsigned long long> sums(bins);
  unsigned state = 23, expected_first[bins], expected[bins];
  unsigned long long expected_sums[bins] = {0};
  for (unsigned k = 0; k < bins; k++)
    expected_first[k] = expected[k] = blocks * 5 * k;
  for (int i = 0; i < n; i++) {
    unsigned word = next_random(state) ^ next_random(state) << 12;
    in[i] = i % 100 < 40 ? 0x05070707u : word; // hot addresses, in a row
    word = in[i];
    unsigned at[] = {word % bins, (word >> 8) % bins, (word >> 16) % bins},
             by[] = {1, 2, word & 1 << 20 ? word >> 24 : 0};
    for (int k = 0; k < 3; k++) {
      expected_first[at[k]] += by[k];
      expected[at[k]] += by[k];
    }
    expected[word % bins] += 3;
    expected[bins - 1 - word % bins] += 1;
    expected_sums[word % bins] += 0x4000000000000001ull;
    expected_sums[word >> 8 & 3] += word;
    expected_sums[0] += 1;
  }
  in.upload();
  first.upload();
  counts.upload();
  sums.upload();
  taken.upload();
  several<<<blocks, block>>>(in.device, first.device, counts.device, n);
  wide<<<blocks, block>>>(in.device, sums.device, n);
  places<<<1, block>>>(in.device, taken.device, own.device, some);
  first.download();
  counts.download();
  sums.download();
  taken.download();
  own.download();
  unsigned in_bin[bins] = {0};
  for (int i = 0; i < some; i++)
    in_bin[in[i] % bins]++;
  for (int k = 0; k < bins; k++) {
    expect(k, first[k], expected_first[k]);
    expect(k, counts[k], expected[k]);
    expect(k, sums[k], expected_sums[k]);
    expect(k, own[k], in_bin[k]);
    for (int i = 0; i < some; i++)
      expect(k * some + i, taken[k * some + i], (unsigned)((unsigned)i < in_bin[k]));
  }
  return passed();
}
