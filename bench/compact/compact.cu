// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream compaction: keeps the elements that pass a test, in their order. Blocks count theirs (__syncthreads_count),
// one block scans the counts, and the warps of each block place their elements by ballots. Arguments: elements,
// iterations.
#include "../common/bench.h"

#define BLOCK 256
#define WARPS (BLOCK / 32)

__device__ inline bool keeps(uint32_t value) { return value % 8 < 3; }

__global__ void count(const uint32_t *in, int n, int *counts) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  int kept = __syncthreads_count(i < n && keeps(in[i]));
  if (threadIdx.x == 0)
    counts[blockIdx.x] = kept;
}

// One block: exclusive sums of the counts in place, 256 at a time; the last element is the sum of all.
__global__ void scan(int *counts, int blocks) {
  __shared__ int tile[BLOCK];
  __shared__ int carry;
  int me = threadIdx.x;
  if (me == 0)
    carry = 0;
  for (int first = 0; first < blocks; first += BLOCK) {
    int own = first + me < blocks ? counts[first + me] : 0;
    tile[me] = own;
    __syncthreads();
    for (int span = 1; span < BLOCK; span *= 2) {
      int left = me >= span ? tile[me - span] : 0;
      __syncthreads();
      tile[me] += left;
      __syncthreads();
    }
    if (first + me < blocks)
      counts[first + me] = carry + tile[me] - own;
    __syncthreads();
    if (me == BLOCK - 1)
      carry += tile[me];
    __syncthreads();
  }
  if (me == 0)
    counts[blocks] = carry;
}

__global__ void scatter(const uint32_t *in, uint32_t *out, int n, const int *places) {
  __shared__ int warp_counts[WARPS];
  int i = blockIdx.x * BLOCK + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  uint32_t value = i < n ? in[i] : 0;
  bool kept = i < n && keeps(value);
  unsigned ballot = __ballot_sync(0xffffffff, kept);
  if (lane == 0)
    warp_counts[warp] = __popc(ballot);
  __syncthreads();
  int place = places[blockIdx.x];
  for (int w = 0; w < warp; w++)
    place += warp_counts[w];
  if (kept)
    out[place + __popc(ballot & ((1u << lane) - 1))] = value;
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1 << 23, 1, "elements");
  const int iterations = (int)bench_argument(argc, argv, 2, 40, 1, "iterations");
  const int blocks = (n + BLOCK - 1) / BLOCK;
  uint32_t *in = (uint32_t *)bench_allocate(n * sizeof(uint32_t)), state = 17;
  for (int i = 0; i < n; i++)
    in[i] = bench_random(&state);
  int *zero = (int *)bench_allocate((blocks + 1) * sizeof(int)), size;
  uint32_t *in_device = bench_to_device(in, n), *out_device = bench_to_device(in, n);
  int *places = bench_to_device(zero, blocks + 1);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    count<<<blocks, BLOCK>>>(in_device, n, places);
    scan<<<1, BLOCK>>>(places, blocks);
    scatter<<<blocks, BLOCK>>>(in_device, out_device, n, places);
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(&size, places + blocks, 1);
  bench_to_host(in, out_device, size);
  bench_report_words(time_ms, in, size);
  cudaFree(in_device);
  cudaFree(out_device);
  cudaFree(places);
  free(in);
  free(zero);
  return 0;
}
