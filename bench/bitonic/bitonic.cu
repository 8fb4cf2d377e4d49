// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitonic sort: spans of 512 in shared memory, with a barrier after each step, wider steps in global memory.
// Argument: logarithm of the number of keys.
#include "../common/bench.h"

#define BLOCK 256
#define SPAN (2 * BLOCK)

__device__ inline void order(uint32_t &a, uint32_t &b, bool up) {
  if ((a > b) == up) {
    uint32_t kept = a;
    a = b;
    b = kept;
  }
}

// The steps within a span of the phase that makes sorted runs of `run`; where `run` is 0, all phases whose runs fit the
// span.
__global__ void sort_span(uint32_t *keys, unsigned run) {
  __shared__ uint32_t tile[SPAN];
  unsigned me = threadIdx.x, base = blockIdx.x * SPAN;
  tile[me] = keys[base + me];
  tile[me + BLOCK] = keys[base + me + BLOCK];
  for (unsigned size = run ? run : 2; size <= (run ? run : SPAN); size *= 2)
    for (unsigned step = size < SPAN ? size / 2 : SPAN / 2; step > 0; step /= 2) {
      __syncthreads();
      unsigned at = 2 * me - (me & (step - 1));
      order(tile[at], tile[at + step], ((base + at) & size) == 0);
    }
  __syncthreads();
  keys[base + me] = tile[me];
  keys[base + me + BLOCK] = tile[me + BLOCK];
}

__global__ void wide_step(uint32_t *keys, unsigned size, unsigned step) {
  unsigned i = blockIdx.x * BLOCK + threadIdx.x, at = 2 * i - (i & (step - 1));
  order(keys[at], keys[at + step], (at & size) == 0);
}

int main(int argc, char **argv) {
  const int logarithm = (int)bench_argument(argc, argv, 1, 23, 9, "logarithm");
  const unsigned n = 1u << logarithm;
  uint32_t *keys = (uint32_t *)bench_allocate(n * sizeof(uint32_t)), state = 16;
  for (unsigned i = 0; i < n; i++)
    keys[i] = bench_random(&state);
  uint32_t *keys_device = bench_to_device(keys, n);

  double start = bench_now_ms();
  sort_span<<<n / SPAN, BLOCK>>>(keys_device, 0);
  for (unsigned size = 2 * SPAN; size <= n && size > 0; size *= 2) {
    for (unsigned step = size / 2; step >= SPAN; step /= 2)
      wide_step<<<n / SPAN, BLOCK>>>(keys_device, size, step);
    sort_span<<<n / SPAN, BLOCK>>>(keys_device, size);
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(keys, keys_device, n);
  bench_report_words(time_ms, keys, n);
  cudaFree(keys_device);
  free(keys);
  return 0;
}
