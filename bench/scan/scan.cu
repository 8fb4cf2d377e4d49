// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exclusive prefix sums of a whole array: work-efficient block scans (up-sweep, down-sweep, two elements a thread), the
// same for the block sums, and an addition. Arguments: elements, iterations.
#include "../common/bench.h"

#define BLOCK 256
#define SPAN (2 * BLOCK)

__global__ void scan_blocks(const unsigned *in, unsigned *out, unsigned *sums, int n) {
  __shared__ unsigned tile[SPAN];
  int me = threadIdx.x, base = blockIdx.x * SPAN, offset = 1;
  tile[2 * me] = base + 2 * me < n ? in[base + 2 * me] : 0;
  tile[2 * me + 1] = base + 2 * me + 1 < n ? in[base + 2 * me + 1] : 0;
  for (int active = SPAN >> 1; active > 0; active >>= 1) {
    __syncthreads();
    if (me < active)
      tile[offset * (2 * me + 2) - 1] += tile[offset * (2 * me + 1) - 1];
    offset *= 2;
  }
  if (me == 0) {
    sums[blockIdx.x] = tile[SPAN - 1];
    tile[SPAN - 1] = 0;
  }
  for (int active = 1; active < SPAN; active *= 2) {
    offset >>= 1;
    __syncthreads();
    if (me < active) {
      int left = offset * (2 * me + 1) - 1, right = offset * (2 * me + 2) - 1;
      unsigned kept = tile[left];
      tile[left] = tile[right];
      tile[right] += kept;
    }
  }
  __syncthreads();
  if (base + 2 * me < n)
    out[base + 2 * me] = tile[2 * me];
  if (base + 2 * me + 1 < n)
    out[base + 2 * me + 1] = tile[2 * me + 1];
}

__global__ void add_sums(unsigned *out, const unsigned *sums, int n) {
  int i = blockIdx.x * SPAN + threadIdx.x;
  unsigned sum = sums[blockIdx.x];
  if (i < n)
    out[i] += sum;
  if (i + BLOCK < n)
    out[i + BLOCK] += sum;
}

// levels[0] has room for the sums of n elements, levels[1] for the sums of those, and so on.
static void scan(const unsigned *in, unsigned *out, unsigned **levels, int n) {
  int blocks = (n + SPAN - 1) / SPAN;
  scan_blocks<<<blocks, BLOCK>>>(in, out, levels[0], n);
  if (blocks > 1) {
    scan(levels[0], levels[0], levels + 1, blocks);
    add_sums<<<blocks, BLOCK>>>(out, levels[0], n);
  }
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1 << 24, 1, "elements");
  const int iterations = (int)bench_argument(argc, argv, 2, 40, 1, "iterations");
  unsigned *in = (unsigned *)bench_allocate(n * sizeof(unsigned)), *levels[5];
  uint32_t state = 5;
  for (int i = 0; i < n; i++)
    in[i] = bench_random(&state) % 1000;
  unsigned *in_device = bench_to_device(in, n), *out_device = bench_to_device(in, n);
  for (int level = 0, count = n; level < 5; level++) {
    count = (count + SPAN - 1) / SPAN;
    levels[level] = bench_to_device(in, count);
  }

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    scan(in_device, out_device, levels, n);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  BENCH_CHECK(cudaMemcpy(in, out_device, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  bench_report_words(time_ms, in, n);
  for (int level = 0; level < 5; level++)
    cudaFree(levels[level]);
  cudaFree(in_device);
  cudaFree(out_device);
  free(in);
  return 0;
}
