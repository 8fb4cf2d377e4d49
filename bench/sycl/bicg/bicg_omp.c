// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix by a vector, and its transpose by another. By hand: a row in vectors; for the transpose strips of columns.
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

// y = scale y + A^T x: each thread has columns of its own and reads their part of the rows in order.
static void columns(const float *restrict a, const float *restrict x, float *restrict y, long n, float scale) {
  enum { STRIP = 256 };
#pragma omp parallel for schedule(static)
  for (long start = 0; start < n; start += STRIP) {
    const long count = n - start < STRIP ? n - start : STRIP;
    float sums[STRIP] = {0};
    for (long i = 0; i < n; i++)
#pragma omp simd
      for (long j = 0; j < count; j++)
        sums[j] += a[i * n + start + j] * x[i];
    for (long j = 0; j < count; j++)
      y[start + j] = scale * y[start + j] + sums[j];
  }
}

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 4096, 8, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 10, 1, "iterations");
  float *a = bench_random_floats(n * n, 1, 0, 1);
  float *p = bench_random_floats(n, 2, 0, 1);
  float *r = bench_random_floats(n, 3, 0, 1);
  float *s = bench_allocate(n * sizeof(float));
  float *w = bench_allocate(n * sizeof(float));
  const double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    rows(a, p, w, n, 1, 0);
    columns(a, r, s, n, 0);
  }
  const double time_ms = bench_now_ms() - start;
  bench_report_floats(time_ms, s, n, 1e-4);
  free(a);
  free(p);
  free(r);
  free(s);
  free(w);
  return 0;
}
