// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix by vector and transposed matrix by vector by hand: a row in vectors; for the transpose strips of columns.
// Arguments: rows, iterations.
#include "../../common/bench.h"

static void multiply(const float *restrict a, const float *restrict x, float *restrict y, int n) {
#pragma omp parallel for schedule(static)
  for (int row = 0; row < n; row++) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int j = 0; j < n; j++)
      sum += a[(size_t)row * n + j] * x[j];
    y[row] = sum;
  }
}

static void multiply_transposed(const float *restrict a, const float *restrict x, float *restrict y, int n) {
  enum { STRIP = 256 };
#pragma omp parallel for schedule(static)
  for (int first = 0; first < n; first += STRIP) {
    const int count = n - first < STRIP ? n - first : STRIP;
    float sums[STRIP] = {0};
    for (int i = 0; i < n; i++)
#pragma omp simd
      for (int j = 0; j < count; j++)
        sums[j] += a[(size_t)i * n + first + j] * x[i];
    for (int j = 0; j < count; j++)
      y[first + j] = sums[j] / n;
  }
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 2048, 1, "rows");
  const int iterations = (int)bench_argument(argc, argv, 2, 40, 1, "iterations");
  float *a = bench_random_floats((size_t)n * n, 59, 0, 1), *vector = bench_random_floats(n, 60, 0, 1);
  float *x = bench_random_floats(n, 60, 0, 1), *y = bench_allocate(n * sizeof(float));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    multiply(a, x, y, n);
    multiply_transposed(a, y, x, n);
    memcpy(x, vector, n / 2 * sizeof(float));
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, y, n, 1e-3);
  return 0;
}
