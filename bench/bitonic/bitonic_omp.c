// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same network of comparisons by hand, so that the code is measured and not the algorithm: spans that fit the first
// cache go through all their steps at once, wider steps are loops of minima and maxima in vectors.
// Argument: logarithm of the number of keys.
#include "../common/bench.h"

enum { SPAN = 4096 };

// Compares each key of the first run of `step` keys with its partner in the next one.
static inline void order(uint32_t *restrict low, uint32_t *restrict high, unsigned step, int up) {
  if (up) {
#pragma omp simd
    for (unsigned i = 0; i < step; i++) {
      const uint32_t a = low[i], b = high[i];
      low[i] = a < b ? a : b;
      high[i] = a < b ? b : a;
    }
  } else {
#pragma omp simd
    for (unsigned i = 0; i < step; i++) {
      const uint32_t a = low[i], b = high[i];
      low[i] = a < b ? b : a;
      high[i] = a < b ? a : b;
    }
  }
}

static void steps(uint32_t *keys, unsigned first, unsigned last, unsigned size, unsigned step) {
  for (; step > 0; step /= 2)
    for (unsigned at = first; at < last; at += 2 * step)
      order(keys + at, keys + at + step, step, (at & size) == 0);
}

static void sort(uint32_t *keys, unsigned n) {
  const unsigned span = n < SPAN ? n : SPAN;
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (unsigned first = 0; first < n; first += span)
      for (unsigned size = 2; size <= span; size *= 2)
        steps(keys, first, first + span, size, size / 2);
    for (unsigned size = 2 * span; size <= n && size > 0; size *= 2) {
      for (unsigned step = size / 2; step >= span; step /= 2) {
        // Pieces of half a span, so that one long run is shared out too.
#pragma omp for schedule(static)
        for (unsigned piece = 0; piece < n / span; piece++) {
          const unsigned i = piece * (span / 2), at = 2 * i - (i & (step - 1));
          order(keys + at, keys + at + step, span / 2, (at & size) == 0);
        }
      }
#pragma omp for schedule(static)
      for (unsigned first = 0; first < n; first += span)
        steps(keys, first, first + span, size, span / 2);
    }
  }
}

int main(int argc, char **argv) {
  const int logarithm = (int)bench_argument(argc, argv, 1, 23, 9, "logarithm");
  const unsigned n = 1u << logarithm;
  uint32_t *keys = bench_allocate(n * sizeof(uint32_t)), state = 16;
  for (unsigned i = 0; i < n; i++)
    keys[i] = bench_random(&state);

  double start = bench_now_ms();
  sort(keys, n);
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, keys, n);
  free(keys);
  return 0;
}
