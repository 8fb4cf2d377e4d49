// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum of an array by hand: OpenMP's reduction, in vectors. Arguments: elements, iterations.
#include "../common/bench.h"

static float sum(const float *in, int n) {
  float total = 0;
#pragma omp parallel for simd schedule(static) aligned(in : 64) reduction(+ : total)
  for (int i = 0; i < n; i++)
    total += in[i];
  return total;
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1 << 25, 1, "elements");
  const int iterations = (int)bench_argument(argc, argv, 2, 50, 1, "iterations");
  float *in = bench_allocate(n * sizeof(float)), result = 0;
  uint32_t state = 4;
  for (int i = 0; i < n; i++)
    in[i] = bench_random_float(&state);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    result = sum(in, n);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, &result, 1, 1e-4);
  free(in);
  return 0;
}
