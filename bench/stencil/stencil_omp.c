// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat diffusion by hand: rows over the threads, cells of a row in vectors. Three rows of the input fit the first
// cache. Arguments: cells along a side, steps.
#include "../common/bench.h"

static void diffuse(const float *restrict in, float *restrict out, int side) {
#pragma omp parallel for schedule(static)
  for (int y = 1; y < side - 1; y++) {
    const float *above = in + (size_t)(y - 1) * side, *row = above + side, *below = row + side;
    float *to = out + (size_t)y * side;
#pragma omp simd
    for (int x = 1; x < side - 1; x++)
      to[x] = 0.5f * row[x] + 0.125f * (row[x - 1] + row[x + 1] + above[x] + below[x]);
  }
}

int main(int argc, char **argv) {
  const int side = (int)bench_argument(argc, argv, 1, 4096, 3, "side");
  const int steps = (int)bench_argument(argc, argv, 2, 50, 1, "steps");
  const size_t cells = (size_t)side * side;
  float *now = bench_allocate(cells * sizeof(float)), *next = bench_allocate(cells * sizeof(float));
  uint32_t state = 2;
  for (size_t i = 0; i < cells; i++)
    now[i] = next[i] = bench_random_float(&state);

  double start = bench_now_ms();
  for (int step = 0; step < steps; step++) {
    diffuse(now, next, side);
    float *swap = now;
    now = next;
    next = swap;
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, now, cells, 1e-6);
  free(now);
  free(next);
  return 0;
}
