// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inner products of complex vectors by hand: a reduction in vectors. Arguments: elements, iterations.
#include "../../common/bench.h"

typedef struct complex_number {
  double re, im;
} complex_number;

static void multiply(const complex_number *restrict a, const complex_number *restrict b, double *sums, int count) {
  double re = 0, im = 0, aa = 0, bb = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : re, im, aa, bb)
  for (int i = 0; i < count; i++) {
    re += a[i].re * b[i].re + a[i].im * b[i].im;
    im += a[i].re * b[i].im - a[i].im * b[i].re;
    aa += a[i].re * a[i].re + a[i].im * a[i].im;
    bb += b[i].re * b[i].re + b[i].im * b[i].im;
  }
  sums[0] += re, sums[1] += im, sums[2] += aa, sums[3] += bb;
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 18, 1, "elements");
  const int iterations = (int)bench_argument(argc, argv, 2, 100, 1, "iterations");
  float *numbers = bench_random_floats((size_t)count * 4, 58, 0, 1);
  double *parts = bench_allocate((size_t)count * 4 * sizeof(double)), sums[4] = {0};
  for (size_t i = 0; i < (size_t)count * 4; i++)
    parts[i] = numbers[i];
  const complex_number *a = (complex_number *)parts, *b = a + count;

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    multiply(a, b, sums, count);
  double time_ms = bench_now_ms() - start;

  const float results[4] = {(float)sums[0], (float)sums[1], (float)sums[2], (float)sums[3]};
  bench_report_floats(time_ms, results, 4, 1e-5);
  return 0;
}
