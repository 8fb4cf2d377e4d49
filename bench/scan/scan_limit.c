// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No scan, but the least that the launches of scan.cu can do: what scan_blocks reads and writes, as a copy past the
// caches, and then what add_sums does, in place. The block sums are zeros; nothing is computed but that addition.
// Or (recompute = 1) the least of a compiler that would keep nothing of scan_blocks but the block sums, and scan each
// block once more where add_sums needs it: the array read for the sums, then the copy with the addition. Arguments:
// elements (a multiple of 512), iterations, recompute (0 or 1).
#include "../common/bench.h"

enum { SPAN = 512, LANES = 16 };
typedef uint32_t vector __attribute__((vector_size(64)));

static void scan_blocks(const uint32_t *restrict in, uint32_t *restrict out, int blocks) {
#pragma omp parallel for schedule(static)
  for (int block = 0; block < blocks; block++)
    for (int i = block * SPAN; i < (block + 1) * SPAN; i += LANES)
      __builtin_nontemporal_store(*(const vector *)(in + i), (vector *)(out + i));
}

static void add_sums(uint32_t *restrict out, const uint32_t *restrict sums, int blocks) {
#pragma omp parallel for schedule(static)
  for (int block = 0; block < blocks; block++)
    for (int i = block * SPAN; i < (block + 1) * SPAN; i += LANES)
      *(vector *)(out + i) += sums[block] - (vector){0};
}

// What is summed is one vector of lanes, not their total: less than a block's sum takes.
static void sum_blocks(const uint32_t *restrict in, vector *restrict lane_sums, int blocks) {
#pragma omp parallel for schedule(static)
  for (int block = 0; block < blocks; block++) {
    vector sum = {0};
    for (int i = block * SPAN; i < (block + 1) * SPAN; i += LANES)
      sum += *(const vector *)(in + i);
    lane_sums[block] = sum;
  }
}

static void copy_with_sums(const uint32_t *restrict in, uint32_t *restrict out, const uint32_t *restrict sums,
                           int blocks) {
#pragma omp parallel for schedule(static)
  for (int block = 0; block < blocks; block++)
    for (int i = block * SPAN; i < (block + 1) * SPAN; i += LANES)
      __builtin_nontemporal_store(*(const vector *)(in + i) + (sums[block] - (vector){0}), (vector *)(out + i));
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1 << 24, SPAN, "elements") / SPAN * SPAN;
  const int iterations = (int)bench_argument(argc, argv, 2, 40, 1, "iterations");
  const int recompute = (int)bench_argument(argc, argv, 3, 0, 0, "recompute");
  uint32_t *in = bench_allocate(n * sizeof(uint32_t)), *out = bench_allocate(n * sizeof(uint32_t));
  uint32_t *sums = bench_allocate(n / SPAN * sizeof(uint32_t));
  vector *lane_sums = bench_allocate(n / SPAN * sizeof(vector));
  uint32_t state = 5;
  for (int i = 0; i < n; i++)
    in[i] = bench_random(&state) % 1000;

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    if (recompute) {
      sum_blocks(in, lane_sums, n / SPAN);
      copy_with_sums(in, out, sums, n / SPAN);
    } else {
      scan_blocks(in, out, n / SPAN);
      add_sums(out, sums, n / SPAN);
    }
  }
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, out, n);
  free(in);
  free(out);
  free(sums);
  free(lane_sums);
  return 0;
}
