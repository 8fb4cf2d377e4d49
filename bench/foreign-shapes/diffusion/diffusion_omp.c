// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diffusion that keeps edges (Perona and Malik) by hand: rows over the threads, a row in vectors but for its two ends.
// Arguments: size (a multiple of 16), steps.
#include "../../common/bench.h"

static inline float flow(float gap) { return gap / (1.0f + gap * gap * 16.0f); }

static inline float moved(float c, float up, float down, float left, float right) {
  return c + 0.2f * (flow(up - c) + flow(down - c) + flow(left - c) + flow(right - c));
}

static void diffuse(const float *restrict in, float *restrict out, int n) {
#pragma omp parallel for schedule(static)
  for (int y = 0; y < n; y++) {
    const float *row = in + (size_t)y * n, *above = y ? row - n : row, *below = y < n - 1 ? row + n : row;
    float *result = out + (size_t)y * n;
    result[0] = moved(row[0], above[0], below[0], row[0], row[1]);
#pragma omp simd
    for (int x = 1; x < n - 1; x++)
      result[x] = moved(row[x], above[x], below[x], row[x - 1], row[x + 1]);
    result[n - 1] = moved(row[n - 1], above[n - 1], below[n - 1], row[n - 2], row[n - 1]);
  }
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1024, 16, "size") / 16 * 16;
  const int steps = (int)bench_argument(argc, argv, 2, 100, 1, "steps");
  const size_t cells = (size_t)n * n;
  float *now = bench_random_floats(cells, 61, 0, 1), *next = bench_allocate(cells * sizeof(float));

  double start = bench_now_ms();
  for (int step = 0; step < steps; step++) {
    diffuse(now, next, n);
    float *swap = now;
    now = next;
    next = swap;
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, now, cells, 1e-4);
  return 0;
}
