// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An electromagnetic field in two dimensions, in steps of time. By hand: rows over threads, vectors along a row.
// Arguments: size, iterations.
#include "../../common/bench.h"

static void step(float *restrict x, float *restrict y, float *restrict z, long n, float time) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (long i = 0; i < n; i++) {
#pragma omp simd
      for (long j = 0; j < n; j++)
        y[i * n + j] = i == 0 ? time : y[i * n + j] - 0.5f * (z[i * n + j] - z[(i - 1) * n + j]);
#pragma omp simd
      for (long j = 1; j < n; j++)
        x[i * n + j] -= 0.5f * (z[i * n + j] - z[i * n + j - 1]);
    }
#pragma omp for schedule(static)
    for (long i = 0; i < n - 1; i++)
#pragma omp simd
      for (long j = 0; j < n - 1; j++)
        z[i * n + j] -= 0.7f * (x[i * n + j + 1] - x[i * n + j] + y[(i + 1) * n + j] - y[i * n + j]);
  }
}

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 2048, 8, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 20, 1, "iterations");
  float *x = bench_random_floats(n * n, 1, 0, 1);
  float *y = bench_random_floats(n * n, 2, 0, 1);
  float *z = bench_random_floats(n * n, 3, 0, 1);
  const double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    step(x, y, z, n, (float)iteration);
  }
  const double time_ms = bench_now_ms() - start;
  bench_report_floats(time_ms, z, n * n, 1e-4);
  free(x);
  free(y);
  free(z);
  return 0;
}
