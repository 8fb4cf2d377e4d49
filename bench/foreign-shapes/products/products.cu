// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix product, added to a matrix, in the three ways in which people write it first: the sum in memory, through pointers that may meet;
// in a local variable; with tiles in shared memory.
// Arguments: size (to the next multiple of 16), iterations, form (0: memory, 1: variable, 2: tiles).
#include "../../common/bench.h"

enum { SIDE = 16 };

__global__ void in_memory(const float *a, const float *b, float *c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; k++)
    c[row * n + column] += a[row * n + k] * b[k * n + column];
}

__global__ void in_variable(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] += sum;
}

__global__ void in_tiles(const float *a, const float *b, float *c, int n) {
  __shared__ float left[SIDE][SIDE], right[SIDE][SIDE];
  const int row = blockIdx.y * SIDE + threadIdx.y, column = blockIdx.x * SIDE + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < n; start += SIDE) {
    left[threadIdx.y][threadIdx.x] = a[row * n + start + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < SIDE; k++)
      sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] += sum;
}

int main(int argc, char **argv) {
  const int n = ((int)bench_argument(argc, argv, 1, 1024, 1, "size") + SIDE - 1) / SIDE * SIDE;
  const int iterations = (int)bench_argument(argc, argv, 2, 10, 1, "iterations");
  const int form = (int)bench_argument(argc, argv, 3, 0, 0, "form");
  const size_t count = (size_t)n * n;
  float *result = bench_random_floats(count, 63, 0, 1);
  float *a = bench_to_device(bench_random_floats(count, 61, 0, 1), count),
        *b = bench_to_device(bench_random_floats(count, 62, 0, 1), count), *c = bench_to_device(result, count);
  const dim3 block(SIDE, SIDE), grid(n / SIDE, n / SIDE);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    if (form == 0)
      in_memory<<<grid, block>>>(a, b, c, n);
    else if (form == 1)
      in_variable<<<grid, block>>>(a, b, c, n);
    else
      in_tiles<<<grid, block>>>(a, b, c, n);
  bench_to_host(result, c, count);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, result, count, 1e-4);
  return 0;
}
