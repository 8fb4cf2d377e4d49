// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A separable filter by hand: rows over the threads; along a row with the zeros beyond its ends in a copy, along
// columns a vector of pixels at once for all weights. Arguments: side, iterations.
#include "filter.h"

static void filter_rows(const float *restrict in, float *restrict out, const float *restrict weights, int side) {
#pragma omp parallel
  {
    float *row = bench_allocate((side + 2 * RADIUS) * sizeof(float));
#pragma omp for schedule(static)
    for (int y = 0; y < side; y++) {
      memcpy(row + RADIUS, in + (size_t)y * side, side * sizeof(float));
      float *to = out + (size_t)y * side;
#pragma omp simd
      for (int x = 0; x < side; x++) {
        float sum = 0;
        for (int k = 0; k < WEIGHTS; k++)
          sum += weights[k] * row[x + k];
        to[x] = sum;
      }
    }
    free(row);
  }
}

static void filter_columns(const float *restrict in, float *restrict out, const float *restrict weights, int side) {
#pragma omp parallel for schedule(static)
  for (int y = 0; y < side; y++) {
    float *to = out + (size_t)y * side;
    if (y >= RADIUS && y < side - RADIUS) {
      const float *from = in + (size_t)(y - RADIUS) * side;
#pragma omp simd
      for (int x = 0; x < side; x++) {
        float sum = 0;
        for (int k = 0; k < WEIGHTS; k++)
          sum += weights[k] * from[(size_t)k * side + x];
        to[x] = sum;
      }
    } else {
      memset(to, 0, side * sizeof(float));
      for (int k = 0; k < WEIGHTS; k++) {
        const int row = y + k - RADIUS;
        if (row < 0 || row >= side)
          continue;
#pragma omp simd
        for (int x = 0; x < side; x++)
          to[x] += weights[k] * in[(size_t)row * side + x];
      }
    }
  }
}

int main(int argc, char **argv) {
  const int side = (int)bench_argument(argc, argv, 1, 2048, 1, "side");
  const int iterations = (int)bench_argument(argc, argv, 2, 30, 1, "iterations");
  const size_t cells = (size_t)side * side;
  float *now = bench_random_floats(cells, 35, 0, 1), *between = bench_allocate(cells * sizeof(float)), weights[WEIGHTS];
  make_weights(weights);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    filter_rows(now, between, weights, side);
    filter_columns(between, now, weights, side);
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, now, cells, 1e-5);
  free(now);
  free(between);
  return 0;
}
