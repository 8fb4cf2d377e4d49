// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tridiagonal systems by hand: 32 systems at once in vectors. Arguments: systems, iterations.
#include "../../common/bench.h"

enum { LENGTH = 64, GROUP = 32 };

static void solve(const float *restrict lower, const float *restrict upper, const float *restrict right,
                  float *restrict x, int systems) {
#pragma omp parallel for schedule(static)
  for (int first = 0; first < systems; first += GROUP) {
    const int size = systems - first < GROUP ? systems - first : GROUP;
    float factors[LENGTH][GROUP], values[LENGTH][GROUP];
    for (int i = 0; i < size; i++) {
      factors[0][i] = upper[first + i] / 4.0f;
      values[0][i] = right[first + i] / 4.0f;
    }
    for (int k = 1; k < LENGTH; k++) {
      const size_t at = (size_t)k * systems + first;
#pragma omp simd
      for (int i = 0; i < size; i++) {
        const float scale = 1.0f / (4.0f - lower[at + i] * factors[k - 1][i]);
        factors[k][i] = upper[at + i] * scale;
        values[k][i] = (right[at + i] - lower[at + i] * values[k - 1][i]) * scale;
      }
    }
    for (int k = LENGTH - 1; k >= 0; k--) {
      const size_t at = (size_t)k * systems + first;
#pragma omp simd
      for (int i = 0; i < size; i++) {
        if (k < LENGTH - 1)
          values[k][i] -= factors[k][i] * values[k + 1][i];
        x[at + i] = values[k][i];
      }
    }
  }
}

int main(int argc, char **argv) {
  const int systems = (int)bench_argument(argc, argv, 1, 1 << 13, 1, "systems");
  const int iterations = (int)bench_argument(argc, argv, 2, 100, 1, "iterations");
  const size_t count = (size_t)systems * LENGTH;
  float *lower = bench_random_floats(count, 74, 0, 1), *upper = bench_random_floats(count, 75, 0, 1);
  float *right = bench_random_floats(count, 76, 0, 1), *next = bench_allocate(count * sizeof(float));
  float *now = bench_allocate(count * sizeof(float));
  memcpy(now, right, count * sizeof(float));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    solve(lower, upper, iteration % 2 ? next : now, iteration % 2 ? now : next, systems);
    if (iteration % 8 == 7)
      memcpy(now, right, count * sizeof(float));
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, iterations % 2 ? next : now, count, 1e-4);
  return 0;
}
