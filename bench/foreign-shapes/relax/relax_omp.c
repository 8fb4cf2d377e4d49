// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat in a plate with sources by hand: rows over the threads, vectors of floats along a row. Arguments: size, iterations.
#include "../../common/bench.h"

static void relax(const float *restrict in, const float *restrict sources, float *restrict out, int n, float across,
                  float down, float rate) {
#pragma omp parallel for schedule(static)
  for (int y = 1; y < n - 1; y++)
#pragma omp simd
    for (int i = y * n + 1; i < y * n + n - 1; i++)
      out[i] = in[i] + rate * (sources[i] + (in[i - 1] + in[i + 1] - 2.0f * in[i]) * across +
                               (in[i - n] + in[i + n] - 2.0f * in[i]) * down + (0.5f - in[i]) * 0.01f);
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 512, 3, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 600, 1, "iterations");
  const size_t count = (size_t)n * n;
  float *now = bench_random_floats(count, 108, 0, 1), *next = bench_random_floats(count, 108, 0, 1),
        *sources = bench_random_floats(count, 109, 0, 0.01f);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    relax(now, sources, next, n, 0.4f, 0.3f, 0.5f);
    float *swap = now;
    now = next;
    next = swap;
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, now, count, 1e-4);
  return 0;
}
