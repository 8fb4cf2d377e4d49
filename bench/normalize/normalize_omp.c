// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normalize by hand: one sum for all, then one pass that divides. Arguments: elements, iterations.
#include "../common/bench.h"

static void normalize(const float *restrict in, float *restrict out, int n) {
  float total = 0;
#pragma omp parallel for simd schedule(static) aligned(in : 64) reduction(+ : total)
  for (int i = 0; i < n; i++)
    total += in[i];
#pragma omp parallel for simd schedule(static) aligned(in, out : 64)
  for (int i = 0; i < n; i++)
    out[i] = in[i] / total;
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1 << 20, 1, "elements");
  const int iterations = (int)bench_argument(argc, argv, 2, 1200, 1, "iterations");
  float *in = bench_allocate(n * sizeof(float)), *out = bench_allocate(n * sizeof(float));
  uint32_t state = 8;
  for (int i = 0; i < n; i++)
    in[i] = bench_random_float(&state);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    normalize(in, out, n);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, out, n, 1e-3);
  free(in);
  free(out);
  return 0;
}
