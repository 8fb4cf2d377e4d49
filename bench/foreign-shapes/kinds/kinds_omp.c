// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of a random walk's values by kind by hand: the values of 16 walks in vectors, then each is added to its sum.
// Arguments: walks, steps.
#include "paths.h"

enum { GROUP = 16 };

static void walk_group(const uint32_t *seeds, float *results, int steps) {
  float sums[KINDS][GROUP] = {{0}}, values[GROUP];
  uint32_t states[GROUP];
  memcpy(states, seeds, sizeof states);
  for (int step = 0; step < steps; step++) {
    for (int i = 0; i < GROUP; i++) {
      states[i] = states[i] * 1664525u + 1013904223u;
      float value = (float)(states[i] >> 8) * (1.0f / 16777216.0f);
      for (int k = 0; k < 4; k++)
        value = value * (1.5f - 0.5f * value * value) + 0.001f * k;
      values[i] = value / (1.0f + value * value);
    }
    for (int i = 0; i < GROUP; i++)
      sums[states[i] >> 20 & (KINDS - 1)][i] += values[i];
  }
  for (int i = 0; i < GROUP; i++) {
    float result = 0;
    for (int k = 0; k < KINDS; k++)
      result = result * 0.5f + sums[k][i];
    results[i] = result;
  }
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 16, 1, "walks");
  const int steps = (int)bench_argument(argc, argv, 2, 400, 1, "steps");
  const int padded = (count + GROUP - 1) / GROUP * GROUP;
  uint32_t *seeds = make_seeds(padded);
  float *results = bench_allocate(padded * sizeof(float));

  double start = bench_now_ms();
#pragma omp parallel for schedule(static)
  for (int first = 0; first < padded; first += GROUP)
    walk_group(seeds + first, results + first, steps);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, results, count, 1e-3);
  return 0;
}
