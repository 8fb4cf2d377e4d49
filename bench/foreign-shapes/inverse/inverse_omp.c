// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inverses of many 6 x 6 matrices by hand: 16 matrices at once, turned so that element k of all of them is one vector.
// Arguments: matrices, iterations.
#include "../../common/bench.h"

enum { SIZE = 6, NUMBERS = SIZE * SIZE, GROUP = 16 };
typedef float vector __attribute__((vector_size(GROUP * sizeof(float))));

static inline void invert_group(vector a[SIZE][SIZE]) {
#pragma clang loop unroll(full)
  for (int k = 0; k < SIZE; k++) {
    const vector pivot = 1.0f / a[k][k];
    a[k][k] = (vector){0} + 1;
#pragma clang loop unroll(full)
    for (int column = 0; column < SIZE; column++)
      a[k][column] *= pivot;
#pragma clang loop unroll(full)
    for (int row = 0; row < SIZE; row++) {
      if (row == k)
        continue;
      const vector factor = a[row][k];
      a[row][k] = (vector){0};
#pragma clang loop unroll(full)
      for (int column = 0; column < SIZE; column++)
        a[row][column] -= factor * a[k][column];
    }
  }
}

static void invert(const float *restrict in, float *restrict out, int count) {
#pragma omp parallel for schedule(static)
  for (int first = 0; first < count; first += GROUP) {
    const int size = count - first < GROUP ? count - first : GROUP;
    float turned[NUMBERS][GROUP] __attribute__((aligned(64)));
    vector a[SIZE][SIZE];
    for (int k = 0; k < NUMBERS; k++)
      for (int i = 0; i < GROUP; i++)
        turned[k][i] = in[(size_t)(first + (i < size ? i : 0)) * NUMBERS + k];
    memcpy(a, turned, sizeof a);
    for (int row = 0; row < SIZE; row++)
      a[row][row] += SIZE;
    invert_group(a);
    memcpy(turned, a, sizeof a);
    for (int i = 0; i < size; i++)
      for (int k = 0; k < NUMBERS; k++)
        out[(size_t)(first + i) * NUMBERS + k] = turned[k][i];
  }
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 14, 1, "matrices");
  const int iterations = (int)bench_argument(argc, argv, 2, 200, 1, "iterations");
  const size_t numbers = (size_t)count * NUMBERS;
  float *now = bench_random_floats(numbers, 70, 0, 1), *next = bench_allocate(numbers * sizeof(float));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    invert(now, next, count);
    float *swap = now;
    now = next;
    next = swap;
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, now, numbers, 1e-3);
  return 0;
}
