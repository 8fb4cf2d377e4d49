// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How steep a picture is, by a filter of five by five weights along each axis. By hand: rows over threads, vectors along
// a row, weights as constants and their zeros left out.
// Arguments: size, iterations.
#include <math.h>

#include "../../common/bench.h"

enum { SIDE = 5, RIM = SIDE / 2 };

static inline float difference(const float *at, long step) {
  return 2 * (at[step] - at[-step]) + at[2 * step] - at[-2 * step];
}

static inline float slope(const float *at, long along, long across) {
  return difference(at - 2 * across, along) + 4 * difference(at - across, along) + 6 * difference(at, along) +
         4 * difference(at + across, along) + difference(at + 2 * across, along);
}

static void filter(const float *restrict a, float *restrict b, long n) {
#pragma omp parallel for schedule(static)
  for (long i = RIM; i < n - RIM; i++)
#pragma omp simd
    for (long j = RIM; j < n - RIM; j++) {
      const float x = slope(a + i * n + j, 1, n), y = slope(a + i * n + j, n, 1);
      b[i * n + j] = sqrtf(x * x + y * y);
    }
}

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 2048, SIDE, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 20, 1, "iterations");
  float *in = bench_random_floats(n * n, 1, 0, 1);
  float *out = bench_allocate(n * n * sizeof(float));
  const double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    filter(in, out, n);
  const double time_ms = bench_now_ms() - start;
  bench_report_floats(time_ms, out, n * n, 1e-4);
  free(in);
  free(out);
  return 0;
}
