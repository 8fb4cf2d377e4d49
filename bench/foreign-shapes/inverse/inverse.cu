// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inverses of many 6 x 6 matrices: a thread for each, in a private array (Gauss and Jordan, no pivots: the diagonal is
// large). Arguments: matrices, iterations.
#include "../../common/bench.h"

#define SIZE 6

__global__ void invert(const float *in, float *out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float a[SIZE][SIZE];
  for (int row = 0; row < SIZE; row++)
    for (int column = 0; column < SIZE; column++)
      a[row][column] = in[(size_t)i * SIZE * SIZE + row * SIZE + column] + (row == column ? SIZE : 0);
  for (int k = 0; k < SIZE; k++) {
    const float pivot = 1.0f / a[k][k];
    a[k][k] = 1;
    for (int column = 0; column < SIZE; column++)
      a[k][column] *= pivot;
    for (int row = 0; row < SIZE; row++) {
      if (row == k)
        continue;
      const float factor = a[row][k];
      a[row][k] = 0;
      for (int column = 0; column < SIZE; column++)
        a[row][column] -= factor * a[k][column];
    }
  }
  for (int row = 0; row < SIZE; row++)
    for (int column = 0; column < SIZE; column++)
      out[(size_t)i * SIZE * SIZE + row * SIZE + column] = a[row][column];
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 14, 1, "matrices");
  const int iterations = (int)bench_argument(argc, argv, 2, 200, 1, "iterations");
  const size_t numbers = (size_t)count * SIZE * SIZE;
  float *matrices = bench_random_floats(numbers, 70, 0, 1);
  float *now = bench_to_device(matrices, numbers), *next = bench_to_device(matrices, numbers);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    invert<<<(count + 63) / 64, 64>>>(now, next, count);
    float *swap = now;
    now = next;
    next = swap;
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(matrices, now, numbers);
  bench_report_floats(time_ms, matrices, numbers, 1e-3);
  return 0;
}
