// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waves on many strings by hand: strings over the threads, vectors of floats along a string. Arguments: strings, places
// of each, iterations.
#include "../../common/bench.h"

static void swing(const float *restrict now, float *restrict last, int strings, int length, float stiff) {
#pragma omp parallel for schedule(static)
  for (int y = 0; y < strings; y++)
#pragma omp simd
    for (int i = y * length + 1; i < y * length + length - 1; i++)
      last[i] = 2.0f * now[i] - last[i] + stiff * (now[i - 1] + now[i + 1] - 2.0f * now[i]);
}

int main(int argc, char **argv) {
  const int strings = (int)bench_argument(argc, argv, 1, 64, 1, "strings");
  const int length = (int)bench_argument(argc, argv, 2, 4096, 3, "places");
  const int iterations = (int)bench_argument(argc, argv, 3, 600, 1, "iterations");
  const size_t count = (size_t)strings * length;
  float *now = bench_random_floats(count, 110, 0, 1), *last = bench_random_floats(count, 110, 0, 1);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    swing(now, last, strings, length, 0.25f);
    float *swap = now;
    now = last;
    last = swap;
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, now, count, 1e-3);
  return 0;
}
