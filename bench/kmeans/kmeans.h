// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points with whole-numbered features around 16 positions, one array for each feature; sums of integers do not
// depend on the order of adding. The same in both programs of the pair.
#ifndef BENCH_KMEANS_H
#define BENCH_KMEANS_H

#include "../common/bench.h"

enum { FEATURES = 8, CLUSTERS = 16 };

static inline float *make_points(int points) {
  float *values = (float *)bench_allocate((size_t)points * FEATURES * sizeof(float));
  uint32_t state = 12;
  for (int i = 0; i < points; i++)
    for (int f = 0; f < FEATURES; f++) {
      const int centre = i % CLUSTERS * (f * 2 + 3) * 37 % 200;
      values[(size_t)f * points + i] = (float)(centre + (int)(bench_random(&state) % 100));
    }
  return values;
}

// The centres to start with are the first points.
static inline void first_centres(const float *values, int points, float centres[CLUSTERS * FEATURES]) {
  for (int c = 0; c < CLUSTERS; c++)
    for (int f = 0; f < FEATURES; f++)
      centres[c * FEATURES + f] = values[(size_t)f * points + c];
}

// The new centres from sums and counts; one without points stays.
static inline void move_centres(float centres[CLUSTERS * FEATURES], const uint32_t *sums, const uint32_t *counts) {
  for (int c = 0; c < CLUSTERS; c++)
    for (int f = 0; f < FEATURES; f++)
      if (counts[c] > 0)
        centres[c * FEATURES + f] = (float)sums[c * FEATURES + f] / (float)counts[c];
}

#endif
