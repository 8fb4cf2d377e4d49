// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix product of square matrices, tile by tile through shared memory: the first program of every CUDA course.
// Arguments: rows (a multiple of 32), iterations.
#include "../common/bench.h"

#define TILE 16

__global__ void multiply(const float *a, const float *b, float *c, int n) {
  __shared__ float part_a[TILE][TILE], part_b[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int base = 0; base < n; base += TILE) {
    part_a[threadIdx.y][threadIdx.x] = a[row * n + base + threadIdx.x];
    part_b[threadIdx.y][threadIdx.x] = b[(base + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      sum += part_a[threadIdx.y][k] * part_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1024, 32, "rows");
  const int iterations = (int)bench_argument(argc, argv, 2, 20, 1, "iterations");
  if (n % 32 != 0) {
    fprintf(stderr, "%s: rows must be a multiple of 32\n", argv[0]);
    return 2;
  }
  const size_t cells = (size_t)n * n;
  float *a = (float *)bench_allocate(cells * sizeof(float)), *b = (float *)bench_allocate(cells * sizeof(float));
  uint32_t state = 3;
  for (size_t i = 0; i < cells; i++) {
    a[i] = bench_random_float(&state) - 0.5f;
    b[i] = bench_random_float(&state);
  }
  float *a_device = bench_to_device(a, cells), *b_device = bench_to_device(b, cells),
        *c_device = bench_to_device(a, cells);

  dim3 block(TILE, TILE), grid(n / TILE, n / TILE);
  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    multiply<<<grid, block>>>(a_device, b_device, c_device, n);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  BENCH_CHECK(cudaMemcpy(a, c_device, cells * sizeof(float), cudaMemcpyDeviceToHost));
  bench_report_floats(time_ms, a, cells, 1e-4);
  cudaFree(a_device);
  cudaFree(b_device);
  cudaFree(c_device);
  free(a);
  free(b);
  return 0;
}
