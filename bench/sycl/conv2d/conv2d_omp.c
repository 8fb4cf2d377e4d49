// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A filter of nine weights over a picture. By hand: rows over threads, vectors along a row.
// Arguments: size, iterations.
#include "../../common/bench.h"

static void filter(const float *restrict a, float *restrict b, long n) {
#pragma omp parallel for schedule(static)
  for (long i = 1; i < n - 1; i++)
#pragma omp simd
    for (long j = 1; j < n - 1; j++) {
      const float *at = a + i * n + j;
      b[i * n + j] = 0.2f * at[-n - 1] - 0.3f * at[-n] + 0.4f * at[-n + 1] + 0.5f * at[-1] + 0.6f * at[0] +
                     0.7f * at[1] - 0.8f * at[n - 1] - 0.9f * at[n] + 0.1f * at[n + 1];
    }
}

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 4096, 8, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 20, 1, "iterations");
  float *in = bench_random_floats(n * n, 1, 0, 1);
  float *out = bench_allocate(n * n * sizeof(float));
  const double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    filter(in, out, n);
  }
  const double time_ms = bench_now_ms() - start;
  bench_report_floats(time_ms, out, n * n, 1e-4);
  free(in);
  free(out);
  return 0;
}
