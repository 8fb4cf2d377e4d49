// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lower triangular matrix by a vector, stored by columns: a thread for each row sums up to the diagonal.
// Arguments: size, iterations.
#include "../../common/bench.h"

__global__ void multiply(const float *matrix, const float *in, float *out, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  float sum = 0;
  for (int column = 0; column <= row; column++)
    sum += matrix[(size_t)column * n + row] * in[column];
  out[row] = sum;
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1000, 1, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 500, 1, "iterations");
  float *matrix = bench_to_device(bench_random_floats((size_t)n * n, 98, 0, 2.0f / n), (size_t)n * n);
  float *values = bench_random_floats(n, 99, 0.5f, 1), *now = bench_to_device(values, n),
        *next = bench_to_device(values, n);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    multiply<<<(n + 127) / 128, 128>>>(matrix, now, next, n);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(values, next, n);
  bench_report_floats(time_ms, values, n, 1e-4);
  return 0;
}
