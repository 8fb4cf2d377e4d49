// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Temperature of a chip with sources of heat: a block takes a tile with a halo into shared memory and makes two steps
// of time in it, the second one a cell narrower. Beyond the rim it is as warm as at the rim. Arguments: cells along a
// side, steps (made in twos).
#include "../common/bench.h"

#define TILE 16
#define STEPS 2
#define INNER (TILE - 2 * STEPS) // cells along a side that come out of a tile

__global__ void heat(const float *power, const float *in, float *out, int side) {
  __shared__ float now[TILE][TILE];
  __shared__ float next[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = (int)blockIdx.x * INNER + tx - STEPS, y = (int)blockIdx.y * INNER + ty - STEPS;
  bool within = x >= 0 && y >= 0 && x < side && y < side;
  float source = 0;
  if (within) {
    now[ty][tx] = in[y * side + x];
    source = power[y * side + x];
  }
  __syncthreads();
  int west = x == 0 ? tx : tx - 1, east = x == side - 1 ? tx : tx + 1;
  int north = y == 0 ? ty : ty - 1, south = y == side - 1 ? ty : ty + 1;
  bool done = false;
  for (int step = 1; step <= STEPS; step++) {
    done = false;
    if (within && tx >= step && tx < TILE - step && ty >= step && ty < TILE - step) {
      done = true;
      float here = now[ty][tx];
      next[ty][tx] = here + 0.1f * (now[north][tx] + now[south][tx] - 2.0f * here) +
                     0.15f * (now[ty][west] + now[ty][east] - 2.0f * here) + 0.01f * (80.0f - here) + source;
    }
    __syncthreads();
    if (step == STEPS)
      break;
    if (done)
      now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (done)
    out[y * side + x] = next[ty][tx];
}

int main(int argc, char **argv) {
  const int side = (int)bench_argument(argc, argv, 1, 2048, 1, "side");
  const int steps = (int)bench_argument(argc, argv, 2, 120, STEPS, "steps") / STEPS * STEPS;
  const size_t cells = (size_t)side * side;
  float *grid = bench_random_floats(cells, 19, 60, 100), *power = bench_random_floats(cells, 20, 0, 0.5f);
  float *now = bench_to_device(grid, cells), *next = bench_to_device(grid, cells);
  float *power_device = bench_to_device(power, cells);

  dim3 block(TILE, TILE), blocks((side + INNER - 1) / INNER, (side + INNER - 1) / INNER);
  double start = bench_now_ms();
  for (int step = 0; step < steps; step += STEPS) {
    heat<<<blocks, block>>>(power_device, now, next, side);
    float *swap = now;
    now = next;
    next = swap;
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(grid, now, cells);
  bench_report_floats(time_ms, grid, cells, 1e-5);
  cudaFree(now);
  cudaFree(next);
  cudaFree(power_device);
  free(grid);
  free(power);
  return 0;
}
