// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Photons through a slab by hand: as many at once as a vector has lanes, logf by the vector form of glibc.
// Arguments: photons, steps, iterations.
#include "../../common/bench.h"
#include "../../common/vector_math.h"

enum { LANES = 2 * BENCH_DOUBLES };
typedef uint32_t states __attribute__((vector_size(LANES * sizeof(uint32_t))));
typedef int32_t choices __attribute__((vector_size(LANES * sizeof(int32_t))));

static bench_floats draw(states *state) {
  *state = *state * 1664525u + 1013904223u;
  return __builtin_convertvector((*state >> 8) + 1, bench_floats) * (1.0f / 16777216.0f);
}

static void travel_group(const float *thickness, float *weights, int first, int photons, int steps, float mean) {
  const int many = photons - first < LANES ? photons - first : LANES;
  states state;
  bench_floats depth = {0}, weight = {0}, thick = {0};
  weight += 1;
  memcpy(&thick, thickness + first, many * sizeof(float));
  for (int lane = 0; lane < LANES; lane++)
    state[lane] = (uint32_t)(first + lane) * 2654435761u + 1;
  for (int step = 0; step < steps; step++) {
    const bench_floats way = -mean * bench_logf(draw(&state)), slope = 2.0f * draw(&state) - 1.0f;
    depth += way * slope;
    depth = (bench_floats)((choices)depth & 0x7fffffff);
    const choices inside = depth < thick;
    weight *= (bench_floats)((inside & (choices)((bench_floats){0} + 0.98f)) |
                             (~inside & (choices)((bench_floats){0} + 0.5f)));
  }
  for (int lane = 0; lane < many; lane++)
    weights[first + lane] += weight[lane];
}

int main(int argc, char **argv) {
  const int photons = (int)bench_argument(argc, argv, 1, 1 << 16, 1, "photons");
  const int steps = (int)bench_argument(argc, argv, 2, 100, 1, "steps");
  const int iterations = (int)bench_argument(argc, argv, 3, 10, 1, "iterations");
  float *thickness = bench_random_floats(photons, 107, 2, 8), *weights = bench_allocate(photons * sizeof(float));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
#pragma omp parallel for schedule(static)
    for (int first = 0; first < photons; first += LANES)
      travel_group(thickness, weights, first, photons, steps, 1.0f);
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, weights, photons, 1e-3);
  return 0;
}
