// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The correlations of the columns of a matrix. By hand: strips of columns for means and deviations, then a packed
// product of the transpose.
// Arguments: size, iterations.
#include "../common/product.h"

// The mean of each column is taken off, and it is divided by its deviation.
static void centre(float *restrict a, long n) {
  enum { STRIP = 64 };
#pragma omp parallel for schedule(static)
  for (long start = 0; start < n; start += STRIP) {
    const long count = n - start < STRIP ? n - start : STRIP;
    float mean[STRIP] = {0}, deviation[STRIP] = {0};
    for (long i = 0; i < n; i++)
      for (long j = 0; j < count; j++)
        mean[j] += a[i * n + start + j];
    for (long j = 0; j < count; j++)
      mean[j] /= (float)n;
    for (long i = 0; i < n; i++)
      for (long j = 0; j < count; j++)
        deviation[j] += (a[i * n + start + j] - mean[j]) * (a[i * n + start + j] - mean[j]);
    for (long j = 0; j < count; j++)
      deviation[j] = sqrtf(deviation[j] / (float)n) + 0.1f;
    for (long i = 0; i < n; i++)
      for (long j = 0; j < count; j++)
        a[i * n + start + j] = (a[i * n + start + j] - mean[j]) / (sqrtf((float)n) * deviation[j]);
  }
}

// The transpose, in tiles, so that the product's rows lie in order.
static void transpose(const float *restrict a, float *restrict b, long n) {
  enum { TILE = 32 };
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i += TILE)
    for (long j = 0; j < n; j += TILE)
      for (long x = i; x < i + TILE && x < n; x++)
        for (long y = j; y < j + TILE && y < n; y++)
          b[x * n + y] = a[y * n + x];
}

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 768, 8, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 2, 1, "iterations");
  float *a = bench_random_floats(n * n, 1, 0, 1);
  float *m = bench_allocate(n * sizeof(float));
  float *s = bench_allocate(n * sizeof(float));
  float *c = bench_allocate(n * n * sizeof(float));
  const double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    float *turned = bench_allocate(n * n * sizeof(float));
    centre(a, n);
    transpose(a, turned, n);
    product(turned, a, 0, c, n, 1, 0);
    free(turned);
  }
  const double time_ms = bench_now_ms() - start;
  bench_report_floats(time_ms, c, n * n, 1e-4);
  free(a);
  free(m);
  free(s);
  free(c);
  return 0;
}
