// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moments of many series by hand: 64 series at once, their sums in arrays that stay in the nearest cache.
// Arguments: series, samples of each, iterations.
#include "moments.h"

enum { GROUP = 64 };

static void measure_group(const float *restrict samples, moments *restrict all, int many, int series, int length,
                          float bound) {
  double sum[GROUP], squares[GROUP];
  float least[GROUP], most[GROUP];
  int above[GROUP];
  for (int i = 0; i < many; i++) {
    sum[i] = all[i].sum, squares[i] = all[i].squares;
    least[i] = all[i].least, most[i] = all[i].most, above[i] = all[i].above;
  }
  for (int k = 0; k < length; k++) {
#pragma omp simd
    for (int i = 0; i < many; i++) {
      const float sample = samples[(size_t)k * series + i];
      sum[i] += sample;
      squares[i] += sample * sample;
      least[i] = sample < least[i] ? sample : least[i];
      most[i] = sample > most[i] ? sample : most[i];
      above[i] += sample > bound;
    }
  }
  for (int i = 0; i < many; i++)
    all[i] = (moments){sum[i], squares[i], least[i], most[i], above[i], all[i].seen + length};
}

static void measure(const float *samples, moments *all, int series, int length, float bound) {
#pragma omp parallel for schedule(static)
  for (int first = 0; first < series; first += GROUP)
    measure_group(samples + first, all + first, series - first < GROUP ? series - first : GROUP, series, length, bound);
}

int main(int argc, char **argv) {
  const int series = (int)bench_argument(argc, argv, 1, 1 << 14, 1, "series");
  const int length = (int)bench_argument(argc, argv, 2, 256, 1, "samples");
  const int iterations = (int)bench_argument(argc, argv, 3, 40, 1, "iterations");
  float *samples = bench_random_floats((size_t)series * length, 91, -1, 2);
  moments *all = bench_allocate(series * sizeof(moments));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    measure(samples, all, series, length, 0.5f);
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, (uint32_t *)all, series * sizeof(moments) / sizeof(uint32_t));
  return 0;
}
