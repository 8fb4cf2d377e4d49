// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A histogram of bytes: each block counts in shared memory with atomics, four bytes a load, and adds its counts to the
// global ones at the end. Arguments: bytes (a multiple of 4), iterations.
#include "../common/bench.h"

#define BINS 256
#define BLOCK 256

__global__ void histogram(const unsigned *words, unsigned *counts, int n) {
  __shared__ unsigned local[BINS];
  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
    local[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    unsigned word = words[i];
    atomicAdd(&local[word & 255], 1);
    atomicAdd(&local[word >> 8 & 255], 1);
    atomicAdd(&local[word >> 16 & 255], 1);
    atomicAdd(&local[word >> 24], 1);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
    atomicAdd(&counts[bin], local[bin]);
}

int main(int argc, char **argv) {
  const int bytes = (int)bench_argument(argc, argv, 1, 1 << 26, 4, "bytes") / 4 * 4;
  const int iterations = (int)bench_argument(argc, argv, 2, 10, 1, "iterations");
  unsigned *words = (unsigned *)bench_allocate(bytes), counts[BINS] = {0};
  uint32_t state = 8;
  for (int i = 0; i < bytes / 4; i++) { // two bytes anywhere, two mostly low: some bins are hot
    uint32_t random = bench_random(&state);
    words[i] = (random & 0xffff) | (random >> 16 & 15) << 16 | (random >> 12 & 3) << 24;
  }
  unsigned *words_device = bench_to_device(words, bytes / 4), *counts_device = bench_to_device(counts, BINS);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    histogram<<<512, BLOCK>>>(words_device, counts_device, bytes / 4);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  BENCH_CHECK(cudaMemcpy(counts, counts_device, sizeof(counts), cudaMemcpyDeviceToHost));
  bench_report_words(time_ms, counts, BINS);
  cudaFree(words_device);
  cudaFree(counts_device);
  free(words);
  return 0;
}
