// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse matrix by vector by hand: rows over the threads, a row in vectors with gathers. Arguments: rows, iterations.
#include "sparse.h"

static void multiply(const int *restrict starts, const int *restrict columns, const float *restrict values,
                     const float *restrict in, float *restrict out, int rows) {
#pragma omp parallel for schedule(static)
  for (int row = 0; row < rows; row++) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int k = starts[row]; k < starts[row + 1]; k++)
      sum += values[k] * in[columns[k]];
    out[row] = sum + 1.0f;
  }
}

int main(int argc, char **argv) {
  const int rows = (int)bench_argument(argc, argv, 1, 1 << 17, 1, "rows");
  const int iterations = (int)bench_argument(argc, argv, 2, 50, 1, "iterations");
  sparse m = make_sparse(rows);
  float *now = bench_random_floats(rows, 30, 0, 1), *next = bench_allocate(rows * sizeof(float));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    multiply(m.starts, m.columns, m.values, now, next, rows);
    float *swap = now;
    now = next;
    next = swap;
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, now, rows, 1e-5);
  free(now);
  free(next);
  free_sparse(m);
  return 0;
}
