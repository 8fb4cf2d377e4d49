// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A filter of eleven weights over a cube. By hand: planes over threads, vectors along a row.
// Arguments: size, iterations.
#include "../../common/bench.h"

static void filter(const float *restrict a, float *restrict b, long n) {
  const long p = n * n;
#pragma omp parallel for collapse(2) schedule(static)
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < n - 1; j++)
#pragma omp simd
      for (long k = 1; k < n - 1; k++) {
        const float *at = a + i * p + j * n + k;
        b[i * p + j * n + k] = 0.2f * (at[-p - n - 1] + at[p - n - 1]) + 0.5f * (at[-p] + at[p]) -
                               0.8f * (at[-n - 1] + at[n]) - 0.3f * at[0] + 0.6f * (at[-1] + at[1]) +
                               0.7f * (at[-p + n + 1] + at[p + n + 1]);
      }
}

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 192, 8, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 20, 1, "iterations");
  float *in = bench_random_floats(n * n * n, 1, 0, 1);
  float *out = bench_allocate(n * n * n * sizeof(float));
  const double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    filter(in, out, n);
  }
  const double time_ms = bench_now_ms() - start;
  bench_report_floats(time_ms, out, n * n * n, 1e-4);
  free(in);
  free(out);
  return 0;
}
