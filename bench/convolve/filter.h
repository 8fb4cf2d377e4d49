// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The weights of a separable filter, the same in both programs of the pair.
#ifndef BENCH_FILTER_H
#define BENCH_FILTER_H

#include "../common/bench.h"

enum { RADIUS = 8, WEIGHTS = 2 * RADIUS + 1 };

static inline void make_weights(float weights[WEIGHTS]) {
  float sum = 0;
  for (int i = 0; i < WEIGHTS; i++)
    sum += weights[i] = expf(-0.05f * (float)((i - RADIUS) * (i - RADIUS)));
  for (int i = 0; i < WEIGHTS; i++)
    weights[i] /= sum;
}

#endif
