// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two matrices by one vector, added. By hand: a row of each in vectors.
// Arguments: size, iterations.
#include "../../common/bench.h"

// y = scale y + alpha A x: a row at a time.
static void rows(const float *restrict a, const float *restrict x, float *restrict y, long n, float alpha,
                 float scale) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i++) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (long j = 0; j < n; j++)
      sum += a[i * n + j] * x[j];
    y[i] = scale * y[i] + alpha * sum;
  }
}

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 4096, 8, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 10, 1, "iterations");
  float *a = bench_random_floats(n * n, 1, 0, 1);
  float *b = bench_random_floats(n * n, 2, 0, 1);
  float *x = bench_random_floats(n, 3, 0, 1);
  float *y = bench_allocate(n * sizeof(float));
  const double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    rows(a, x, y, n, 1.5f, 0);
    rows(b, x, y, n, 0.5f, 1);
  }
  const double time_ms = bench_now_ms() - start;
  bench_report_floats(time_ms, y, n, 1e-4);
  free(a);
  free(b);
  free(x);
  free(y);
  return 0;
}
