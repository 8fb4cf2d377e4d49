// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lower triangular matrix by a vector by hand: 64 rows at once, their common columns in vectors, then the triangle at
// the diagonal. Arguments: size, iterations.
#include "../../common/bench.h"

enum { GROUP = 64 };

static void multiply_group(const float *restrict matrix, const float *restrict in, float *restrict out, int n, int row,
                           int many) {
  float sums[GROUP] = {0};
  for (int column = 0; column < row; column++)
#pragma omp simd
    for (int i = 0; i < many; i++)
      sums[i] += matrix[(size_t)column * n + row + i] * in[column];
  for (int column = row; column < row + many; column++)
#pragma omp simd
    for (int i = 0; i < many; i++)
      sums[i] += column <= row + i ? matrix[(size_t)column * n + row + i] * in[column] : 0;
  memcpy(out + row, sums, many * sizeof(float));
}

static void multiply(const float *matrix, const float *in, float *out, int n) {
#pragma omp parallel for schedule(static, 1)
  for (int row = 0; row < n; row += GROUP)
    if (n - row < GROUP)
      multiply_group(matrix, in, out, n, row, n - row);
    else
      multiply_group(matrix, in, out, n, row, GROUP);
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1000, 1, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 500, 1, "iterations");
  float *matrix = bench_random_floats((size_t)n * n, 98, 0, 2.0f / n);
  float *now = bench_random_floats(n, 99, 0.5f, 1), *next = bench_allocate(n * sizeof(float));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    multiply(matrix, now, next, n);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, next, n, 1e-4);
  return 0;
}
