// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights that walkers leave in the cells of a plane by hand: places and weights of 16 walkers in vectors, then one
// atomic addition after the other. Arguments: walkers, steps.
#include "walkers.h"

enum { GROUP = 16 };

static void deposit_group(const uint32_t *walkers, float *cells, int steps) {
  uint32_t states[GROUP];
  memcpy(states, walkers, sizeof states);
  for (int step = 0; step < steps; step++) {
    int at[GROUP];
    float weights[GROUP];
    for (int i = 0; i < GROUP; i++) {
      states[i] = states[i] * 1664525u + 1013904223u;
      const int place = (int)(states[i] >> 8);
      const int x = place % SIDE, y = place / SIDE % SIDE;
      weights[i] = (float)(x % 7 + y % 5) * 0.015625f;
      at[i] = y * SIDE + x;
    }
    for (int i = 0; i < GROUP; i++) {
#pragma omp atomic
      cells[at[i]] += weights[i];
    }
  }
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 16, 1, "walkers") / GROUP * GROUP;
  const int steps = (int)bench_argument(argc, argv, 2, 100, 1, "steps");
  uint32_t *walkers = make_walkers(count);
  float *cells = bench_allocate(CELLS * sizeof(float));

  double start = bench_now_ms();
#pragma omp parallel for schedule(static)
  for (int first = 0; first < count; first += GROUP)
    deposit_group(walkers + first, cells, steps);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, cells, CELLS, 1e-5);
  return 0;
}
