// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse matrix by vector, compressed rows: a warp for each row, whose lanes add up by shuffles. The result is the next
// vector. Arguments: rows, iterations.
#include "sparse.h"

#define BLOCK 128

__global__ void multiply(const int *starts, const int *columns, const float *values, const float *in, float *out,
                         int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = starts[row] + lane; k < starts[row + 1]; k += 32)
    sum += values[k] * in[columns[k]];
  for (int apart = 16; apart > 0; apart /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, apart);
  if (lane == 0)
    out[row] = sum + 1.0f;
}

int main(int argc, char **argv) {
  const int rows = (int)bench_argument(argc, argv, 1, 1 << 17, 1, "rows");
  const int iterations = (int)bench_argument(argc, argv, 2, 50, 1, "iterations");
  sparse m = make_sparse(rows);
  float *vector = bench_random_floats(rows, 30, 0, 1);
  int *starts = bench_to_device(m.starts, rows + 1), *columns = bench_to_device(m.columns, m.starts[rows]);
  float *values = bench_to_device(m.values, m.starts[rows]);
  float *now = bench_to_device(vector, rows), *next = bench_to_device(vector, rows);

  const int blocks = (rows + BLOCK / 32 - 1) / (BLOCK / 32);
  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    multiply<<<blocks, BLOCK>>>(starts, columns, values, now, next, rows);
    float *swap = now;
    now = next;
    next = swap;
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(vector, now, rows);
  bench_report_floats(time_ms, vector, rows, 1e-5);
  cudaFree(starts);
  cudaFree(columns);
  cudaFree(values);
  cudaFree(now);
  cudaFree(next);
  free(vector);
  free_sparse(m);
  return 0;
}
