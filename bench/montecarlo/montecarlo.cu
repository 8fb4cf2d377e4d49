// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The area of a quarter of a circle by Monte Carlo: each thread draws points with a generator of its own and counts
// those inside, a block adds the counts in a tree in shared memory. All in integers. Arguments: threads, draws of
// each.
#include "../common/bench.h"

#define BLOCK 256

__global__ void count_inside(uint32_t *inside, int threads, int draws) {
  __shared__ uint32_t counts[BLOCK];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  uint32_t state = (uint32_t)i * 2654435761u + 1, count = 0;
  for (int draw = 0; draw < draws; draw++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    uint32_t x = state & 0x7fff, y = state >> 17;
    if (x * x + y * y < 0x7fffu * 0x7fffu)
      count++;
  }
  counts[threadIdx.x] = i < threads ? count : 0;
  __syncthreads();
  for (int span = BLOCK / 2; span > 0; span /= 2) {
    if (threadIdx.x < span)
      counts[threadIdx.x] += counts[threadIdx.x + span];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(inside, counts[0]);
}

int main(int argc, char **argv) {
  const int threads = (int)bench_argument(argc, argv, 1, 1 << 16, 1, "threads");
  const int draws = (int)bench_argument(argc, argv, 2, 32000, 1, "draws");
  uint32_t inside = 0, *inside_device = bench_to_device(&inside, 1);

  double start = bench_now_ms();
  count_inside<<<(threads + BLOCK - 1) / BLOCK, BLOCK>>>(inside_device, threads, draws);
  bench_to_host(&inside, inside_device, 1);
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, &inside, 1);
  cudaFree(inside_device);
  return 0;
}
