// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector add by hand: the result is not read again, so it goes past the caches (non-temporal stores).
// Arguments: elements, iterations.
#include "../common/bench.h"

static void vecadd(const float *restrict a, const float *restrict b, float *restrict c, int n) {
#pragma omp parallel for simd schedule(static) aligned(a, b, c : 64) nontemporal(c)
  for (int i = 0; i < n; i++)
    c[i] = a[i] + b[i];
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1 << 24, 1, "elements");
  const int iterations = (int)bench_argument(argc, argv, 2, 30, 1, "iterations");
  float *a = bench_allocate(n * sizeof(float)), *b = bench_allocate(n * sizeof(float));
  float *c = bench_allocate(n * sizeof(float));
  uint32_t state = 1;
  for (int i = 0; i < n; i++) {
    a[i] = bench_random_float(&state);
    b[i] = bench_random_float(&state);
  }

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    vecadd(a, b, c, n);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, c, n, 0);
  free(a);
  free(b);
  free(c);
  return 0;
}
