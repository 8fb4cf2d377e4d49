// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patches laid over regions at all shifts by hand: each element of a patch is added to a stretch of a column of results.
// Arguments: patches, iterations.
#include "shifts.h"

static void lay_over(const float *restrict patches, const float *restrict regions, float *restrict sums, int count,
                     sizes in) {
#pragma omp parallel for schedule(static)
  for (int one = 0; one < count; one++) {
    const float *patch = patches + (size_t)one * in.patch * in.patch,
                *region = regions + (size_t)one * in.region * in.region;
    float *own = sums + (size_t)one * in.shifts * in.shifts;
    for (int right = 0; right < in.shifts; right++) {
      float *column = own + (size_t)right * in.shifts;
      memset(column, 0, in.shifts * sizeof(float));
      for (int j = right < in.region ? 0 : right - in.region + 1; j < in.patch && j <= right; j++)
        for (int i = 0; i < in.patch; i++)
#pragma omp simd
          for (int k = 0; k < in.region; k++)
            column[i + k] += patch[in.patch * j + i] * region[in.region * (right - j) + k];
    }
  }
}

int main(int argc, char **argv) {
  const int patches = (int)bench_argument(argc, argv, 1, 16, 1, "patches");
  const int iterations = (int)bench_argument(argc, argv, 2, 8, 1, "iterations");
  const size_t results = (size_t)patches * SHIFTS * SHIFTS;
  float *small = bench_random_floats((size_t)patches * PATCH * PATCH, 91, 0, 1),
        *large = bench_random_floats((size_t)patches * REGION * REGION, 92, 0, 1),
        *sums = bench_allocate(results * sizeof(float));
  volatile int shifts = SHIFTS, patch = PATCH, region = REGION; /* no constants, as for the other program */
  const sizes known = {patch, region, shifts, shifts * shifts};

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    lay_over(small, large, sums, patches, known);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, sums, results, 1e-3);
  return 0;
}
