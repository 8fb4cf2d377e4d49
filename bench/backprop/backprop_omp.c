// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer of a neural network by hand: a vector holds the sums of all 16 hidden units, input by input.
// Arguments: input units (a multiple of 16), iterations.
#include "../common/bench.h"

enum { HIDDEN = 16 };

static void forward(const float *restrict input, const float *restrict weights, float *restrict sums, int units) {
  memset(sums, 0, HIDDEN * sizeof(float));
#pragma omp parallel
  {
    float total[HIDDEN] = {0};
#pragma omp for schedule(static) nowait
    for (int unit = 0; unit < units; unit++) {
      const float value = input[unit];
      for (int to = 0; to < HIDDEN; to++)
        total[to] += value * weights[unit * HIDDEN + to];
    }
#pragma omp critical
    for (int to = 0; to < HIDDEN; to++)
      sums[to] += total[to];
  }
}

static void adjust(const float *restrict delta, const float *restrict input, float *restrict weights,
                   float *restrict change, int units) {
#pragma omp parallel for schedule(static)
  for (int unit = 0; unit < units; unit++) {
    const float value = 1e-7f * input[unit];
    float now[HIDDEN], *row = change + (size_t)unit * HIDDEN, *weight = weights + (size_t)unit * HIDDEN;
    for (int to = 0; to < HIDDEN; to++)
      now[to] = value * delta[to] + 0.3f * row[to];
    memcpy(row, now, sizeof now);
    for (int to = 0; to < HIDDEN; to++)
      weight[to] += now[to];
  }
}

int main(int argc, char **argv) {
  const int units = (int)bench_argument(argc, argv, 1, 1 << 16, HIDDEN, "units") / HIDDEN * HIDDEN;
  const int iterations = (int)bench_argument(argc, argv, 2, 800, 1, "iterations");
  float *input = bench_random_floats(units, 10, 0, 1);
  float *weights = bench_random_floats((size_t)units * HIDDEN, 11, -0.01f, 0.01f);
  float *change = bench_allocate((size_t)units * HIDDEN * sizeof(float)), sums[HIDDEN], delta[HIDDEN];

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    forward(input, weights, sums, units);
    for (int to = 0; to < HIDDEN; to++) {
      const float out = 1 / (1 + expf(-sums[to]));
      delta[to] = (0.5f - out) * out * (1 - out);
    }
    adjust(delta, input, weights, change, units);
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, change, (size_t)units * HIDDEN, 1e-4);
  free(input);
  free(weights);
  free(change);
  return 0;
}
