// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cheapest ways down a grid by hand: a row in vectors, the last of an iteration into memory that nobody has touched,
// which is where the next one reads it. Arguments: columns, rows of each iteration, iterations.
#include "../../common/bench.h"

static inline int smaller(int a, int b) { return a < b ? a : b; }

static void descend(const int *restrict costs, const int *restrict above, int *restrict below, int columns) {
  below[0] = costs[0] + smaller(above[0], above[columns > 1]);
  below[columns - 1] = costs[columns - 1] + smaller(above[columns - 1], above[columns > 1 ? columns - 2 : 0]);
#pragma omp parallel for simd schedule(static)
  for (int x = 1; x < columns - 1; x++)
    below[x] = costs[x] + smaller(above[x], smaller(above[x - 1], above[x + 1]));
}

int main(int argc, char **argv) {
  const int columns = (int)bench_argument(argc, argv, 1, 1 << 21, 1, "columns");
  const int rows = (int)bench_argument(argc, argv, 2, 2, 1, "rows");
  const int iterations = (int)bench_argument(argc, argv, 3, 16, 1, "iterations");
  const size_t bytes = columns * sizeof(int);
  int *costs = bench_allocate(bytes), *spare[2] = {bench_allocate(bytes), bench_allocate(bytes)}, *found = NULL;
  uint32_t state = 115;
  for (int x = 0; x < columns; x++)
    costs[x] = (int)(bench_random(&state) % 10);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    int *last = found, *fresh = malloc(bytes);
    const int *above = iteration ? last : costs;
    for (int row = 0; row < rows; row++) {
      int *below = row == rows - 1 ? fresh : spare[row % 2];
      descend(costs, above, below, columns);
      above = below;
    }
    free(last);
    found = fresh;
  }
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, (uint32_t *)found, columns);
  return 0;
}
