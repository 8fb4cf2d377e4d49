// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat diffusion in a cube, seven points: a block marches along z with a tile of the plane in shared memory and the
// cells below and above in registers. The faces stay as they are. Arguments: cells along a side, steps.
#include "../common/bench.h"

#define WIDTH 32
#define HEIGHT 8

__global__ void diffuse(const float *in, float *out, int side) {
  __shared__ float plane[HEIGHT + 2][WIDTH + 2];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int x = blockIdx.x * WIDTH + threadIdx.x, y = blockIdx.y * HEIGHT + threadIdx.y;
  bool within = x < side && y < side, inner = x > 0 && y > 0 && x < side - 1 && y < side - 1;
  int layer = side * side, at = y * side + x;
  float below = 0, here = 0, above = 0;
  if (within) {
    here = in[at];
    above = in[at + layer];
  }
  for (int z = 1; z < side - 1; z++) {
    at += layer;
    below = here;
    here = above;
    if (within) {
      above = in[at + layer];
      plane[ty][tx] = here;
      if (threadIdx.x == 0 && x > 0)
        plane[ty][0] = in[at - 1];
      if (threadIdx.x == WIDTH - 1 && x < side - 1)
        plane[ty][WIDTH + 1] = in[at + 1];
      if (threadIdx.y == 0 && y > 0)
        plane[0][tx] = in[at - side];
      if (threadIdx.y == HEIGHT - 1 && y < side - 1)
        plane[HEIGHT + 1][tx] = in[at + side];
    }
    __syncthreads();
    if (inner)
      out[at] = 0.4f * here +
                0.1f * (plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] + plane[ty + 1][tx] + below + above);
    __syncthreads();
  }
}

int main(int argc, char **argv) {
  const int side = (int)bench_argument(argc, argv, 1, 256, 3, "side");
  const int steps = (int)bench_argument(argc, argv, 2, 20, 1, "steps");
  const size_t cells = (size_t)side * side * side;
  float *grid = bench_random_floats(cells, 18, 0, 1);
  float *now = bench_to_device(grid, cells), *next = bench_to_device(grid, cells);

  dim3 block(WIDTH, HEIGHT), blocks((side + WIDTH - 1) / WIDTH, (side + HEIGHT - 1) / HEIGHT);
  double start = bench_now_ms();
  for (int step = 0; step < steps; step++) {
    diffuse<<<blocks, block>>>(now, next, side);
    float *swap = now;
    now = next;
    next = swap;
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(grid, now, cells);
  bench_report_floats(time_ms, grid, cells, 1e-6);
  cudaFree(now);
  cudaFree(next);
  free(grid);
  return 0;
}
