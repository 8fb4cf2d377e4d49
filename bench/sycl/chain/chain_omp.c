// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two element-wise kernels after each other. By hand: one loop, which keeps what the first writes in a register.
// Arguments: size, iterations.
#include "../../common/bench.h"

static void both(const float *restrict x, float *restrict t, float *restrict y, long n) {
#pragma omp parallel for simd schedule(static)
  for (long i = 0; i < n; i++) {
    const float between = x[i] * 0.75f + 0.125f;
    t[i] = between;
    y[i] = between * between - between;
  }
}

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 1 << 20, 8, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 300, 1, "iterations");
  float *x = bench_random_floats(n, 1, 0, 1);
  float *t = bench_allocate(n * sizeof(float));
  float *y = bench_allocate(n * sizeof(float));
  const double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    both(x, t, y, n);
  const double time_ms = bench_now_ms() - start;
  bench_report_floats(time_ms, y, n, 1e-5);
  free(x);
  free(t);
  free(y);
  return 0;
}
