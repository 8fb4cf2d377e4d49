// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points that drift by hand: the coordinates of all points are one array, in vectors. Arguments: points, iterations.
#include "../../common/bench.h"

static void drift(float *restrict places, const float *restrict speeds, int count, float step, float size) {
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < count; i++) {
    const float place = places[i] + step * speeds[i];
    places[i] = place - floorf(place / size) * size;
  }
}

int main(int argc, char **argv) {
  const int points = (int)bench_argument(argc, argv, 1, 100000, 1, "points");
  const int iterations = (int)bench_argument(argc, argv, 2, 600, 1, "iterations");
  const int count = points * 3;
  float *places = bench_random_floats(count, 95, 0, 4), *speeds = bench_random_floats(count, 96, -1, 1);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    drift(places, speeds, count, 0.125f, 4.0f);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, places, count, 1e-3);
  return 0;
}
