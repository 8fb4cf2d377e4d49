// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exclusive prefix sums by hand: each thread sums its chunk, then scans it from where the chunks before it end. Both
// passes go through the memory once; in the second one the sums run inside a vector of 16, in four steps, and the
// results go past the caches. Arguments: elements, iterations.
#include "../common/bench.h"

#include <omp.h>

typedef uint32_t vector __attribute__((vector_size(64)));

// The sums of the elements up to and including each lane.
static inline vector scan_lanes(vector v) {
  const vector zero = {0};
  v += __builtin_shufflevector(zero, v, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
  v += __builtin_shufflevector(zero, v, 0, 1, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
  v += __builtin_shufflevector(zero, v, 0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27);
  v += __builtin_shufflevector(zero, v, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
  return v;
}

static void scan(const uint32_t *restrict in, uint32_t *restrict out, uint32_t *restrict chunk_sums, int n) {
#pragma omp parallel
  {
    const int threads = omp_get_num_threads(), me = omp_get_thread_num();
    const int first = (int)((long)n * me / threads) & ~15; // whole vectors, but for the end
    const int last = me == threads - 1 ? n : (int)((long)n * (me + 1) / threads) & ~15;
    uint32_t sum = 0;
    if (me < threads - 1) {
#pragma omp simd reduction(+ : sum)
      for (int i = first; i < last; i++)
        sum += in[i];
    }
    chunk_sums[me] = sum;
#pragma omp barrier
    uint32_t running = 0;
    for (int thread = 0; thread < me; thread++)
      running += chunk_sums[thread];
    int i = first;
    vector before = running - (vector){0};
    for (; i + 16 <= last; i += 16) {
      vector own = *(const vector *)(in + i), sums = scan_lanes(own);
      __builtin_nontemporal_store(before + sums - own, (vector *)(out + i));
      before += __builtin_shufflevector(sums, sums, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15);
    }
    running = before[0];
    for (; i < last; i++) {
      out[i] = running;
      running += in[i];
    }
  }
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1 << 24, 1, "elements");
  const int iterations = (int)bench_argument(argc, argv, 2, 40, 1, "iterations");
  uint32_t *in = bench_allocate(n * sizeof(uint32_t)), *out = bench_allocate(n * sizeof(uint32_t));
  uint32_t *chunk_sums = bench_allocate(omp_get_max_threads() * sizeof(uint32_t));
  uint32_t state = 5;
  for (int i = 0; i < n; i++)
    in[i] = bench_random(&state) % 1000;

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    scan(in, out, chunk_sums, n);
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, out, n);
  free(in);
  free(out);
  free(chunk_sums);
  return 0;
}
