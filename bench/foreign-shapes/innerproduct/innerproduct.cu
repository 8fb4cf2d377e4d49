// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inner products of complex vectors in double precision: each thread adds its terms to four sums by atomics.
// Arguments: elements, iterations.
#include "../../common/bench.h"

typedef struct complex_number {
  double re, im;
} complex_number;

// sums: the two parts of <a, b>, then <a, a> and <b, b>.
__global__ void multiply(const complex_number *a, const complex_number *b, double *sums, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const complex_number x = a[i], y = b[i];
  atomicAdd(&sums[0], x.re * y.re + x.im * y.im);
  atomicAdd(&sums[1], x.re * y.im - x.im * y.re);
  atomicAdd(&sums[2], x.re * x.re + x.im * x.im);
  atomicAdd(&sums[3], y.re * y.re + y.im * y.im);
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 18, 1, "elements");
  const int iterations = (int)bench_argument(argc, argv, 2, 100, 1, "iterations");
  float *numbers = bench_random_floats((size_t)count * 4, 58, 0, 1);
  double *parts = (double *)bench_allocate((size_t)count * 4 * sizeof(double)), sums[4] = {0};
  for (size_t i = 0; i < (size_t)count * 4; i++)
    parts[i] = numbers[i];
  double *parts_device = bench_to_device(parts, (size_t)count * 4), *sums_device = bench_to_device(sums, 4);
  const complex_number *a = (complex_number *)parts_device, *b = a + count;

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    multiply<<<(count + 255) / 256, 256>>>(a, b, sums_device, count);
  bench_to_host(sums, sums_device, 4);
  double time_ms = bench_now_ms() - start;

  const float results[4] = {(float)sums[0], (float)sums[1], (float)sums[2], (float)sums[3]};
  bench_report_floats(time_ms, results, 4, 1e-5);
  return 0;
}
