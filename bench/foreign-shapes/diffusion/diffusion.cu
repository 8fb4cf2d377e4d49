// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diffusion that keeps edges (Perona and Malik), in shared tiles whose rims are loaded by conditions on the block and
// read by a chain of nine conditions on the thread. Arguments: size (a multiple of 16), steps.
#include "../../common/bench.h"

#define TILE 16

__device__ float flow(float gap) { return gap / (1.0f + gap * gap * 16.0f); }

__global__ void diffuse(const float *in, float *out, int n) {
  __shared__ float middle[TILE][TILE], north[TILE][TILE], south[TILE][TILE], west[TILE][TILE], east[TILE][TILE];
  const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  const int here = n * (TILE * by + ty) + TILE * bx + tx;
  north[ty][tx] = in[by == 0 ? TILE * bx + tx : n * (TILE * by - 1) + TILE * bx + tx];
  south[ty][tx] = in[by == gridDim.y - 1 ? n * (n - 1) + TILE * bx + tx : n * (TILE * by + TILE) + TILE * bx + tx];
  if (bx == 0)
    west[ty][tx] = in[n * (TILE * by + ty)];
  else
    west[ty][tx] = in[here - tx - 1];
  if (bx == gridDim.x - 1)
    east[ty][tx] = in[n * (TILE * by + ty) + n - 1];
  else
    east[ty][tx] = in[here - tx + TILE];
  middle[ty][tx] = in[here];
  __syncthreads();
  const float c = middle[ty][tx];
  float up, down, left, right;
  if (ty == 0 && tx == 0) {
    up = north[ty][tx], down = middle[ty + 1][tx], left = west[ty][tx], right = middle[ty][tx + 1];
  } else if (ty == 0 && tx == TILE - 1) {
    up = north[ty][tx], down = middle[ty + 1][tx], left = middle[ty][tx - 1], right = east[ty][tx];
  } else if (ty == TILE - 1 && tx == TILE - 1) {
    up = middle[ty - 1][tx], down = south[ty][tx], left = middle[ty][tx - 1], right = east[ty][tx];
  } else if (ty == TILE - 1 && tx == 0) {
    up = middle[ty - 1][tx], down = south[ty][tx], left = west[ty][tx], right = middle[ty][tx + 1];
  } else if (ty == 0) {
    up = north[ty][tx], down = middle[ty + 1][tx], left = middle[ty][tx - 1], right = middle[ty][tx + 1];
  } else if (tx == TILE - 1) {
    up = middle[ty - 1][tx], down = middle[ty + 1][tx], left = middle[ty][tx - 1], right = east[ty][tx];
  } else if (ty == TILE - 1) {
    up = middle[ty - 1][tx], down = south[ty][tx], left = middle[ty][tx - 1], right = middle[ty][tx + 1];
  } else if (tx == 0) {
    up = middle[ty - 1][tx], down = middle[ty + 1][tx], left = west[ty][tx], right = middle[ty][tx + 1];
  } else {
    up = middle[ty - 1][tx], down = middle[ty + 1][tx], left = middle[ty][tx - 1], right = middle[ty][tx + 1];
  }
  out[here] = c + 0.2f * (flow(up - c) + flow(down - c) + flow(left - c) + flow(right - c));
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1024, TILE, "size") / TILE * TILE;
  const int steps = (int)bench_argument(argc, argv, 2, 100, 1, "steps");
  const size_t cells = (size_t)n * n;
  float *image = bench_random_floats(cells, 61, 0, 1);
  float *now = bench_to_device(image, cells), *next = bench_to_device(image, cells);

  const dim3 block(TILE, TILE), grid(n / TILE, n / TILE);
  double start = bench_now_ms();
  for (int step = 0; step < steps; step++) {
    diffuse<<<grid, block>>>(now, next, n);
    float *swap = now;
    now = next;
    next = swap;
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(image, now, cells);
  bench_report_floats(time_ms, image, cells, 1e-4);
  return 0;
}
