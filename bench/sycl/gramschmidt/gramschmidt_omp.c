// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The orthogonal basis of a matrix' columns, a column at a time. By hand: each step is one pass over the rows for the
// products with the column, and one that takes it off.
// Arguments: size, iterations.
#include "../../common/bench.h"

static void step(float *restrict a, float *restrict r, float *restrict b, long n, long k) {
  enum { STRIP = 64 };
  float sum = 0;
  for (long i = 0; i < n; i++)
    sum += a[i * n + k] * a[i * n + k];
  r[k * n + k] = sqrtf(sum);
  for (long i = 0; i < n; i++)
    b[i * n + k] = a[i * n + k] / r[k * n + k];
#pragma omp parallel for schedule(static)
  for (long start = k + 1; start < n; start += STRIP) {
    const long count = n - start < STRIP ? n - start : STRIP;
    float sums[STRIP] = {0};
    for (long i = 0; i < n; i++)
      for (long j = 0; j < count; j++)
        sums[j] += b[i * n + k] * a[i * n + start + j];
    for (long j = 0; j < count; j++)
      r[k * n + start + j] = sums[j];
    for (long i = 0; i < n; i++)
      for (long j = 0; j < count; j++)
        a[i * n + start + j] -= b[i * n + k] * sums[j];
  }
}

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 512, 8, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 1, 1, "iterations");
  float *a = bench_random_floats(n * n, 1, 0, 1);
  float *r = bench_allocate(n * n * sizeof(float));
  float *b = bench_allocate(n * n * sizeof(float));
  const double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    for (long k = 0; k < n; k++)
      step(a, r, b, n, k);
  }
  const double time_ms = bench_now_ms() - start;
  bench_report_floats(time_ms, b, n * n, 1e-2);
  free(a);
  free(r);
  free(b);
  return 0;
}
