// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diffusion that keeps edges by hand: rows over the threads, the pixels of a row in vectors between its two ends.
// Arguments: side, steps.
#include "../common/bench.h"

static inline float coefficient_of(float here, float north, float south, float west, float east, float noise) {
  north -= here;
  south -= here;
  west -= here;
  east -= here;
  const float slope = (north * north + south * south + west * west + east * east) / (here * here);
  const float curve = (north + south + west + east) / here;
  const float below = 1.0f + 0.25f * curve, speckle = (0.5f * slope - 0.0625f * curve * curve) / (below * below);
  const float value = 1.0f / (1.0f + (speckle - noise) / (noise * (1.0f + noise)));
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

static float noise_of(const float *restrict image, int cells) {
  double sum = 0, square = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum, square)
  for (int first = 0; first < cells; first += 1024) {
    const int last = first + 1024 < cells ? first + 1024 : cells;
    float part = 0, part_square = 0;
#pragma omp simd reduction(+ : part, part_square)
    for (int i = first; i < last; i++) {
      part += image[i];
      part_square += image[i] * image[i];
    }
    sum += part;
    square += part_square;
  }
  const double mean = sum / cells, variance = square / cells - mean * mean;
  return (float)(variance / (mean * mean));
}

static void make_coefficients(const float *restrict image, float *restrict coefficient, int side, float noise) {
#pragma omp parallel for schedule(static)
  for (int y = 0; y < side; y++) {
    const float *row = image + (size_t)y * side, *north = y > 0 ? row - side : row;
    const float *south = y < side - 1 ? row + side : row;
    float *to = coefficient + (size_t)y * side;
    const int last = side - 1;
    to[0] = coefficient_of(row[0], north[0], south[0], row[0], row[last > 0], noise);
#pragma omp simd
    for (int x = 1; x < last; x++)
      to[x] = coefficient_of(row[x], north[x], south[x], row[x - 1], row[x + 1], noise);
    if (last > 0)
      to[last] = coefficient_of(row[last], north[last], south[last], row[last - 1], row[last], noise);
  }
}

static inline float moved(float here, float own, float north, float south, float west, float east, float to_south,
                          float to_east) {
  const float flow = own * (north - here) + to_south * (south - here) + own * (west - here) + to_east * (east - here);
  return here + 0.125f * flow;
}

static void diffuse(const float *restrict in, const float *restrict coefficient, float *restrict out, int side) {
#pragma omp parallel for schedule(static)
  for (int y = 0; y < side; y++) {
    const size_t at = (size_t)y * side, below = y < side - 1 ? at + side : at;
    const float *row = in + at, *north = y > 0 ? row - side : row, *south = in + below;
    const float *own = coefficient + at, *to_south = coefficient + below;
    float *to = out + at;
    const int last = side - 1, second = last > 0;
    to[0] = moved(row[0], own[0], north[0], south[0], row[0], row[second], to_south[0], own[second]);
#pragma omp simd
    for (int x = 1; x < last; x++)
      to[x] = moved(row[x], own[x], north[x], south[x], row[x - 1], row[x + 1], to_south[x], own[x + 1]);
    if (last > 0)
      to[last] =
          moved(row[last], own[last], north[last], south[last], row[last - 1], row[last], to_south[last], own[last]);
  }
}

int main(int argc, char **argv) {
  const int side = (int)bench_argument(argc, argv, 1, 1024, 1, "side");
  const int steps = (int)bench_argument(argc, argv, 2, 300, 1, "steps");
  const int cells = side * side;
  float *now = bench_random_floats(cells, 36, 1, 2), *next = bench_allocate(cells * sizeof(float));
  float *coefficient = bench_allocate(cells * sizeof(float));

  double start = bench_now_ms();
  for (int step = 0; step < steps; step++) {
    make_coefficients(now, coefficient, side, noise_of(now, cells));
    diffuse(now, coefficient, next, side);
    float *swap = now;
    now = next;
    next = swap;
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, now, cells, 1e-4);
  free(now);
  free(next);
  free(coefficient);
  return 0;
}
