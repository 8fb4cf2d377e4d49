// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of values brought to mean 0 and variance 1 by hand: the sums of a group once, in vectors.
// Arguments: groups, values of each, iterations.
#include "../../common/bench.h"

static void normalize(const float *restrict in, float *restrict out, int groups, int size) {
#pragma omp parallel for schedule(static)
  for (int group = 0; group < groups; group++) {
    const float *own = in + (size_t)group * size;
    float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum, squares)
    for (int k = 0; k < size; k++) {
      sum += own[k];
      squares += own[k] * own[k];
    }
    const float mean = sum / size, scale = 1 / sqrtf(squares / size - mean * mean + 1e-5f);
#pragma omp simd
    for (int k = 0; k < size; k++)
      out[(size_t)group * size + k] = (own[k] - mean) * scale;
  }
}

int main(int argc, char **argv) {
  const int groups = (int)bench_argument(argc, argv, 1, 512, 1, "groups");
  const int size = (int)bench_argument(argc, argv, 2, 1024, 1, "values");
  const int iterations = (int)bench_argument(argc, argv, 3, 300, 1, "iterations");
  const size_t count = (size_t)groups * size;
  float *in = bench_random_floats(count, 102, -1, 3), *out = bench_allocate(count * sizeof(float));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    normalize(in, out, groups, size);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, out, count, 1e-3);
  return 0;
}
