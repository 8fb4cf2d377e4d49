// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Masks over a matrix by hand: in each row a stretch that is copied and two that are filled.
// Arguments: rows, columns, iterations.
#include "../../common/bench.h"

// Copies the columns from `low` up to `high` and fills the others.
static void keep(const float *restrict in, float *restrict out, int columns, int low, int high, float fill) {
  low = low < 0 ? 0 : low > columns ? columns : low;
  high = high > columns ? columns : high < low ? low : high;
  for (int i = 0; i < low; i++)
    out[i] = fill;
  memcpy(out + low, in + low, (high - low) * sizeof(float));
  for (int i = high; i < columns; i++)
    out[i] = fill;
}

int main(int argc, char **argv) {
  const int rows = (int)bench_argument(argc, argv, 1, 700, 1, "rows");
  const int columns = (int)bench_argument(argc, argv, 2, 900, 1, "columns");
  const int iterations = (int)bench_argument(argc, argv, 3, 200, 1, "iterations");
  const size_t cells = (size_t)rows * columns;
  float *a = bench_random_floats(cells, 56, 0, 1), *b = bench_allocate(cells * sizeof(float));
  int *lengths = bench_allocate(rows * sizeof(int));
  uint32_t state = 57;
  for (int row = 0; row < rows; row++)
    lengths[row] = (int)(bench_random(&state) % (uint32_t)(columns + 1));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    const float fill = (float)iteration;
    const int radius = columns / 2;
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; row++) {
      float *x = a + (size_t)row * columns, *y = b + (size_t)row * columns;
      keep(x, y, columns, 0, lengths[row], fill);
      keep(y, x, columns, row - radius, row + radius + 1, fill + 1);
      keep(x, y, columns, row, columns, fill + 2);
    }
    float *swap = a;
    a = b;
    b = swap;
  }
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, (uint32_t *)a, cells);
  return 0;
}
