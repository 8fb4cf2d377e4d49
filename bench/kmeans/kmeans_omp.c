// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// K-means by hand: the distances of 64 points to a centre at once, sums private to each thread. Arguments: points,
// iterations.
#include "kmeans.h"

enum { GROUP = 64 };

static void assign(const float *restrict values, int points, const float *restrict centres, uint32_t *restrict sums,
                   uint32_t *restrict counts) {
  uint32_t total[CLUSTERS * FEATURES] = {0}, members[CLUSTERS] = {0};
#pragma omp parallel for schedule(static) reduction(+ : total, members)
  for (int first = 0; first < points; first += GROUP) {
    const int size = points - first < GROUP ? points - first : GROUP;
    float best[GROUP];
    int nearest[GROUP];
    for (int i = 0; i < GROUP; i++)
      best[i] = 3.4e38f, nearest[i] = 0;
    for (int c = 0; c < CLUSTERS; c++) {
#pragma omp simd
      for (int i = 0; i < size; i++) {
        float distance = 0;
        for (int f = 0; f < FEATURES; f++) {
          const float gap = values[(size_t)f * points + first + i] - centres[c * FEATURES + f];
          distance += gap * gap;
        }
        nearest[i] = distance < best[i] ? c : nearest[i];
        best[i] = distance < best[i] ? distance : best[i];
      }
    }
    for (int i = 0; i < size; i++) {
      uint32_t *sum = total + nearest[i] * FEATURES;
      for (int f = 0; f < FEATURES; f++)
        sum[f] += (uint32_t)values[(size_t)f * points + first + i];
      members[nearest[i]]++;
    }
  }
  memcpy(sums, total, sizeof total);
  memcpy(counts, members, sizeof members);
}

int main(int argc, char **argv) {
  const int points = (int)bench_argument(argc, argv, 1, 1 << 19, CLUSTERS, "points");
  const int iterations = (int)bench_argument(argc, argv, 2, 80, 1, "iterations");
  float *values = make_points(points), now[CLUSTERS * FEATURES];
  uint32_t sums[CLUSTERS * FEATURES], counts[CLUSTERS];
  first_centres(values, points, now);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    assign(values, points, now, sums, counts);
    move_centres(now, sums, counts);
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, now, CLUSTERS * FEATURES, 1e-4);
  free(values);
  return 0;
}
