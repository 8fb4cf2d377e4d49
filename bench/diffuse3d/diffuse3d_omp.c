// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat diffusion in a cube by hand: planes over the threads, the cells of a row in vectors; the three planes that a row
// needs stay in the second cache. Arguments: cells along a side, steps.
#include "../common/bench.h"

static void diffuse(const float *restrict in, float *restrict out, int side) {
  const size_t layer = (size_t)side * side;
#pragma omp parallel for schedule(static)
  for (int z = 1; z < side - 1; z++)
    for (int y = 1; y < side - 1; y++) {
      const float *row = in + z * layer + (size_t)y * side;
      float *to = out + z * layer + (size_t)y * side;
#pragma omp simd
      for (int x = 1; x < side - 1; x++)
        to[x] = 0.4f * row[x] + 0.1f * (row[x - 1] + row[x + 1] + (row - side)[x] + (row + side)[x] + (row - layer)[x] +
                                        (row + layer)[x]);
    }
}

int main(int argc, char **argv) {
  const int side = (int)bench_argument(argc, argv, 1, 256, 3, "side");
  const int steps = (int)bench_argument(argc, argv, 2, 20, 1, "steps");
  const size_t cells = (size_t)side * side * side;
  float *now = bench_random_floats(cells, 18, 0, 1), *next = bench_random_floats(cells, 18, 0, 1);

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
