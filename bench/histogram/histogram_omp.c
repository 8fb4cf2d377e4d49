// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A histogram of bytes by hand: each thread has eight tables and spreads the bytes of a word over them, so that equal
// neighbours do not wait for each other's count. Arguments: bytes (a multiple of 4), iterations.
#include "../common/bench.h"

enum { BINS = 256, TABLES = 8 };

static void histogram(const uint64_t *words, const uint8_t *rest, int rest_count, uint32_t *counts, int n) {
#pragma omp parallel
  {
    uint32_t tables[TABLES][BINS] = {{0}};
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++) {
      uint64_t word = words[i];
      for (int table = 0; table < TABLES; table++)
        tables[table][word >> 8 * table & 255]++;
    }
#pragma omp single nowait
    for (int i = 0; i < rest_count; i++)
      tables[0][rest[i]]++;
    for (int bin = 0; bin < BINS; bin++) {
      uint32_t sum = 0;
      for (int table = 0; table < TABLES; table++)
        sum += tables[table][bin];
      __atomic_fetch_add(&counts[bin], sum, __ATOMIC_RELAXED);
    }
  }
}

int main(int argc, char **argv) {
  const int bytes = (int)bench_argument(argc, argv, 1, 1 << 26, 4, "bytes") / 4 * 4;
  const int iterations = (int)bench_argument(argc, argv, 2, 10, 1, "iterations");
  uint32_t *words = bench_allocate(bytes), counts[BINS] = {0};
  uint32_t state = 8;
  for (int i = 0; i < bytes / 4; i++) {
    uint32_t random = bench_random(&state);
    words[i] = (random & 0xffff) | (random >> 16 & 15) << 16 | (random >> 12 & 3) << 24;
  }

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    histogram((const uint64_t *)words, (const uint8_t *)words + bytes / 8 * 8, bytes % 8, counts, bytes / 8);
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, counts, BINS);
  free(words);
  return 0;
}
