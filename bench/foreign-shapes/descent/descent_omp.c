// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps down a slope with momentum by hand: three loops as one, and one after all have got there.
// Arguments: numbers, iterations.
#include "../../common/bench.h"

static void descend(float *restrict places, const float *restrict goals, float *restrict speeds, int count,
                    int iterations) {
#pragma omp parallel
  for (int iteration = 0; iteration < iterations; iteration++) {
#pragma omp for simd schedule(static)
    for (int i = 0; i < count; i++) {
      const float slope = places[i] - goals[i] + 0.1f * (places[i] - places[count - 1 - i]);
      speeds[i] = 0.75f * speeds[i] - 0.125f * slope;
    }
#pragma omp for simd schedule(static)
    for (int i = 0; i < count; i++)
      places[i] += speeds[i];
  }
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 32 * 128, 1, "numbers");
  const int iterations = (int)bench_argument(argc, argv, 2, 10000, 1, "iterations");
  float *places = bench_random_floats(count, 112, 0, 1), *goals = bench_random_floats(count, 113, 1, 2);
  float *speeds = bench_allocate(count * sizeof(float));

  double start = bench_now_ms();
  descend(places, goals, speeds, count, iterations);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, places, count, 1e-4);
  return 0;
}
