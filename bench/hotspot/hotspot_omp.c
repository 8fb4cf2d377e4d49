// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Temperature of a chip by hand: rows over the threads, a row in vectors between its two ends, one step a pass.
// Arguments: cells along a side, steps (made in twos).
#include "../common/bench.h"

static inline float cell(float here, float north, float south, float west, float east, float source) {
  return here + 0.1f * (north + south - 2.0f * here) + 0.15f * (west + east - 2.0f * here) + 0.01f * (80.0f - here) +
         source;
}

static void heat(const float *restrict power, const float *restrict in, float *restrict out, int side) {
#pragma omp parallel for schedule(static)
  for (int y = 0; y < side; y++) {
    const size_t at = (size_t)y * side;
    const float *row = in + at, *north = y > 0 ? row - side : row, *south = y < side - 1 ? row + side : row;
    const float *source = power + at;
    float *to = out + at;
    const int last = side - 1;
    to[0] = cell(row[0], north[0], south[0], row[0], row[last > 0], source[0]);
#pragma omp simd
    for (int x = 1; x < last; x++)
      to[x] = cell(row[x], north[x], south[x], row[x - 1], row[x + 1], source[x]);
    if (last > 0)
      to[last] = cell(row[last], north[last], south[last], row[last - 1], row[last], source[last]);
  }
}

int main(int argc, char **argv) {
  const int side = (int)bench_argument(argc, argv, 1, 2048, 1, "side");
  const int steps = (int)bench_argument(argc, argv, 2, 120, 2, "steps") / 2 * 2;
  const size_t cells = (size_t)side * side;
  float *now = bench_random_floats(cells, 19, 60, 100), *power = bench_random_floats(cells, 20, 0, 0.5f);
  float *next = bench_allocate(cells * sizeof(float));

  double start = bench_now_ms();
  for (int step = 0; step < steps; step++) {
    heat(power, now, next, side);
    float *swap = now;
    now = next;
    next = swap;
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, now, cells, 1e-5);
  free(now);
  free(next);
  free(power);
  return 0;
}
