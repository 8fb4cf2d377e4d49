// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream compaction by hand: each thread counts what its chunk keeps, then copies from where the chunks before it end,
// without a branch: an element that is not kept is overwritten by the next one. Arguments: elements, iterations.
#include "../common/bench.h"

#include <omp.h>

static inline int keeps(uint32_t value) { return value % 8 < 3; }

static int compact(const uint32_t *restrict in, uint32_t *restrict out, int n, int *restrict counts) {
  int size = 0;
#pragma omp parallel
  {
    const int threads = omp_get_num_threads(), me = omp_get_thread_num();
    const int first = (int)((long)n * me / threads), last = (int)((long)n * (me + 1) / threads);
    int kept = 0, place = 0;
#pragma omp simd reduction(+ : kept)
    for (int i = first; i < last; i++)
      kept += keeps(in[i]);
    counts[me] = kept;
#pragma omp barrier
    for (int thread = 0; thread < me; thread++)
      place += counts[thread];
    const int end = place + kept;
    int i = first;
    while (place < end) {
      out[place] = in[i];
      place += keeps(in[i++]);
    }
    if (me == threads - 1)
      size = end;
  }
  return size;
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1 << 23, 1, "elements");
  const int iterations = (int)bench_argument(argc, argv, 2, 40, 1, "iterations");
  uint32_t *in = bench_allocate(n * sizeof(uint32_t)), *out = bench_allocate(n * sizeof(uint32_t)), state = 17;
  int *counts = bench_allocate(omp_get_max_threads() * sizeof(int)), size = 0;
  for (int i = 0; i < n; i++)
    in[i] = bench_random(&state);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    size = compact(in, out, n, counts);
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, out, size);
  free(in);
  free(out);
  free(counts);
  return 0;
}
