// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat diffusion on a square grid, five points, a shared tile with a halo of one cell. The rim stays as it is.
// Arguments: cells along a side, steps.
#include "../common/bench.h"

#define TILE 16

__global__ void diffuse(const float *in, float *out, int side) {
  __shared__ float tile[TILE + 2][TILE + 2];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  if (x < side && y < side) {
    tile[ty][tx] = in[y * side + x];
    if (threadIdx.x == 0 && x > 0)
      tile[ty][0] = in[y * side + x - 1];
    if (threadIdx.x == TILE - 1 && x < side - 1)
      tile[ty][TILE + 1] = in[y * side + x + 1];
    if (threadIdx.y == 0 && y > 0)
      tile[0][tx] = in[(y - 1) * side + x];
    if (threadIdx.y == TILE - 1 && y < side - 1)
      tile[TILE + 1][tx] = in[(y + 1) * side + x];
  }
  __syncthreads();
  if (x > 0 && y > 0 && x < side - 1 && y < side - 1)
    out[y * side + x] =
        0.5f * tile[ty][tx] + 0.125f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
}

int main(int argc, char **argv) {
  const int side = (int)bench_argument(argc, argv, 1, 4096, 3, "side");
  const int steps = (int)bench_argument(argc, argv, 2, 50, 1, "steps");
  const size_t cells = (size_t)side * side;
  float *grid = (float *)bench_allocate(cells * sizeof(float));
  uint32_t state = 2;
  for (size_t i = 0; i < cells; i++)
    grid[i] = bench_random_float(&state);
  float *now = bench_to_device(grid, cells), *next = bench_to_device(grid, cells);

  dim3 block(TILE, TILE), blocks((side + TILE - 1) / TILE, (side + TILE - 1) / TILE);
  double start = bench_now_ms();
  for (int step = 0; step < steps; step++) {
    diffuse<<<blocks, block>>>(now, next, side);
    float *swap = now;
    now = next;
    next = swap;
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  BENCH_CHECK(cudaMemcpy(grid, now, cells * sizeof(float), cudaMemcpyDeviceToHost));
  bench_report_floats(time_ms, grid, cells, 1e-6);
  cudaFree(now);
  cudaFree(next);
  free(grid);
  return 0;
}
