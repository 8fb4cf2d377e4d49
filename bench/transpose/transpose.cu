// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes a square matrix through tiles in shared memory, 32 by 8 threads for a tile of 32 by 32, a column more than
// needed against bank conflicts. Arguments: side, iterations.
#include "../common/bench.h"

#define TILE 32
#define ROWS 8

__global__ void transpose(const float *in, float *out, int side) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int row = 0; row < TILE; row += ROWS)
    if (x < side && y + row < side)
      tile[threadIdx.y + row][threadIdx.x] = in[(size_t)(y + row) * side + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int row = 0; row < TILE; row += ROWS)
    if (x < side && y + row < side)
      out[(size_t)(y + row) * side + x] = tile[threadIdx.x][threadIdx.y + row];
}

int main(int argc, char **argv) {
  const int side = (int)bench_argument(argc, argv, 1, 4000, 1, "side");
  const int iterations = (int)bench_argument(argc, argv, 2, 20, 1, "iterations");
  const size_t cells = (size_t)side * side;
  float *matrix = bench_random_floats(cells, 27, 0, 1);
  float *in = bench_to_device(matrix, cells), *out = bench_to_device(matrix, cells);

  dim3 block(TILE, ROWS), blocks((side + TILE - 1) / TILE, (side + TILE - 1) / TILE);
  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    transpose<<<blocks, block>>>(in, out, side);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(matrix, out, cells);
  bench_report_floats(time_ms, matrix, cells, 0);
  cudaFree(in);
  cudaFree(out);
  free(matrix);
  return 0;
}
