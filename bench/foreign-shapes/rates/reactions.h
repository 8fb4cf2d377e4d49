// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chain of reactions in cells of different temperatures, the same in both programs of the pair.
#ifndef BENCH_REACTIONS_H
#define BENCH_REACTIONS_H

#include "../../common/bench.h"

enum { REACTIONS = 8 };

static inline double *make_temperatures(int cells) {
  double *temperatures = (double *)bench_allocate(cells * sizeof(double));
  uint32_t state = 105;
  for (int i = 0; i < cells; i++)
    temperatures[i] = 300 + 1500 * (double)bench_random_float(&state);
  return temperatures;
}

// reactions + 1 arrays: of what the reaction takes, and last of what the last one gives.
static inline double *make_amounts(int cells) {
  double *amounts = (double *)bench_allocate((size_t)cells * (REACTIONS + 1) * sizeof(double));
  for (int i = 0; i < cells; i++)
    amounts[i] = 1;
  return amounts;
}

static inline void report_amounts(double time_ms, const double *amounts, size_t count) {
  float *short_amounts = (float *)bench_allocate(count * sizeof(float));
  for (size_t i = 0; i < count; i++)
    short_amounts[i] = (float)amounts[i];
  bench_report_floats(time_ms, short_amounts, count, 1e-5);
}

#endif
