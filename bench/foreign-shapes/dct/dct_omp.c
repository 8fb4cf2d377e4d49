// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cosine transforms of eight values by hand: the eight results are one vector, a sum of columns of the table.
// Arguments: groups of eight, iterations.
#include "cosines.h"

typedef float vector __attribute__((vector_size(POINTS * sizeof(float)), aligned(4)));

static void transform(const float *restrict in, float *restrict out, const vector columns[POINTS], int groups) {
#pragma omp parallel for schedule(static)
  for (int group = 0; group < groups; group++) {
    const float *numbers = in + (size_t)group * POINTS;
    vector sum = {0};
    for (int j = 0; j < POINTS; j++)
      sum += columns[j] * numbers[j];
    *(vector *)(out + (size_t)group * POINTS) = sum;
  }
}

int main(int argc, char **argv) {
  const int groups = (int)bench_argument(argc, argv, 1, 1 << 15, 1, "groups");
  const int iterations = (int)bench_argument(argc, argv, 2, 1000, 1, "iterations");
  const size_t count = (size_t)groups * POINTS;
  float table[POINTS][POINTS], *now = bench_random_floats(count, 66, 0, 1),
                               *next = bench_allocate(count * sizeof(float));
  vector columns[POINTS];
  make_cosines(table);
  for (int j = 0; j < POINTS; j++)
    for (int k = 0; k < POINTS; k++)
      columns[j][k] = table[k][j];

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    transform(now, next, columns, groups);
    float *swap = now;
    now = next;
    next = swap;
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, now, count, 1e-3);
  return 0;
}
