// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix by vector and transposed matrix by vector with blocks of 32 x 8 threads of which only x counts: the eight
// threads of a column of the block do the same. Arguments: rows, iterations.
#include "../../common/bench.h"

__global__ void multiply(const float *a, const float *x, float *y, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  float sum = 0;
  for (int j = 0; j < n; j++)
    sum += a[(size_t)row * n + j] * x[j];
  y[row] = sum;
}

__global__ void multiply_transposed(const float *a, const float *x, float *y, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= n)
    return;
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[(size_t)i * n + column] * x[i];
  y[column] = sum / n;
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 2048, 1, "rows");
  const int iterations = (int)bench_argument(argc, argv, 2, 40, 1, "iterations");
  float *matrix = bench_random_floats((size_t)n * n, 59, 0, 1), *vector = bench_random_floats(n, 60, 0, 1);
  float *a = bench_to_device(matrix, (size_t)n * n), *x = bench_to_device(vector, n), *y = bench_to_device(vector, n);

  const dim3 block(32, 8);
  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    multiply<<<(n + 31) / 32, block>>>(a, x, y, n);
    multiply_transposed<<<(n + 31) / 32, block>>>(a, y, x, n);
    BENCH_CHECK(cudaMemcpy(x, vector, n / 2 * sizeof(float), cudaMemcpyHostToDevice)); // keeps the numbers in range
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(vector, y, n);
  bench_report_floats(time_ms, vector, n, 1e-3);
  return 0;
}
