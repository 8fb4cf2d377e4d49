// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat in a plate by hand: a step a pass, rows over the threads, a row in vectors but for its two ends; nothing is
// copied. Arguments: size, iterations.
#include "../../common/bench.h"

enum { STEPS = 4 };

static void warm(const float *restrict sources, const float *restrict in, float *restrict out, int n) {
#pragma omp for schedule(static)
  for (int y = 0; y < n; y++) {
    const float *row = in + (size_t)y * n, *above = y ? row - n : row, *below = y < n - 1 ? row + n : row;
    const float *source = sources + (size_t)y * n;
    float *result = out + (size_t)y * n;
    for (int end = 0; end < 2; end++) {
      const int x = end ? n - 1 : 0;
      result[x] = 0.6f * row[x] + 0.1f * (above[x] + below[x] + row[x > 0 ? x - 1 : 0] + row[x < n - 1 ? x + 1 : x]) +
                  0.01f * source[x];
    }
#pragma omp simd
    for (int x = 1; x < n - 1; x++)
      result[x] = 0.6f * row[x] + 0.1f * (above[x] + below[x] + row[x - 1] + row[x + 1]) + 0.01f * source[x];
  }
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1024, 1, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 60, 1, "iterations");
  const size_t cells = (size_t)n * n;
  float *now = bench_random_floats(cells, 68, 0, 1), *sources = bench_random_floats(cells, 69, 0, 1);
  float *next = bench_allocate(cells * sizeof(float));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    sources[iteration % cells] += 1;
#pragma omp parallel
    for (int step = 0; step < STEPS; step++)
      warm(sources, step % 2 ? next : now, step % 2 ? now : next, n);
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, now, cells, 1e-4);
  return 0;
}
