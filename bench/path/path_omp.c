// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cheapest way down a grid by hand: a row in vectors, shared out over the threads. Arguments: columns, rows,
// iterations.
#include "../common/bench.h"

static inline int smaller(int a, int b) { return a < b ? a : b; }

static void descend(const int *restrict cost, const int *restrict in, int *restrict out, int columns) {
  const int last = columns - 1;
#pragma omp parallel for simd schedule(static)
  for (int x = 1; x < last; x++)
    out[x] = smaller(smaller(in[x - 1], in[x]), in[x + 1]) + cost[x];
  out[0] = smaller(in[0], in[last > 0]) + cost[0];
  if (last > 0)
    out[last] = smaller(in[last - 1], in[last]) + cost[last];
}

int main(int argc, char **argv) {
  const int columns = (int)bench_argument(argc, argv, 1, 1 << 18, 1, "columns");
  const int rows = (int)bench_argument(argc, argv, 2, 100, 2, "rows");
  const int iterations = (int)bench_argument(argc, argv, 3, 16, 1, "iterations");
  const size_t cells = (size_t)columns * rows;
  int *cost = bench_allocate(cells * sizeof(int));
  uint32_t state = 25;
  for (size_t i = 0; i < cells; i++)
    cost[i] = (int)(bench_random(&state) % 10);
  int *now = bench_allocate(columns * sizeof(int)), *next = bench_allocate(columns * sizeof(int));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    memcpy(now, cost, columns * sizeof(int));
    for (int row = 1; row < rows; row++) {
      descend(cost + (size_t)row * columns, now, next, columns);
      int *swap = now;
      now = next;
      next = swap;
    }
  }
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, (uint32_t *)now, columns);
  free(cost);
  free(now);
  free(next);
  return 0;
}
