// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diffusion that keeps edges, to take speckles out of an image: sums of all pixels and of their squares in shared
// memory give the strength of the noise, one kernel makes a coefficient of diffusion for each pixel, a second one the
// step. Beyond the rim it is as at the rim. Arguments: side, steps.
#include "../common/bench.h"

#define BLOCK 256
#define TILE 16

__global__ void add_up(const float *image, float *sums, float *squares, int n) {
  __shared__ float sum[BLOCK];
  __shared__ float square[BLOCK];
  int me = threadIdx.x, i = blockIdx.x * BLOCK + me;
  float value = i < n ? image[i] : 0;
  sum[me] = value;
  square[me] = value * value;
  __syncthreads();
  for (int span = BLOCK / 2; span > 0; span /= 2) {
    if (me < span) {
      sum[me] += sum[me + span];
      square[me] += square[me + span];
    }
    __syncthreads();
  }
  if (me == 0) {
    sums[blockIdx.x] = sum[0];
    squares[blockIdx.x] = square[0];
  }
}

__global__ void make_coefficients(const float *image, float *coefficient, int side, float noise) {
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y, at = y * side + x;
  if (x >= side || y >= side)
    return;
  float here = image[at];
  float north = image[y > 0 ? at - side : at] - here, south = image[y < side - 1 ? at + side : at] - here;
  float west = image[x > 0 ? at - 1 : at] - here, east = image[x < side - 1 ? at + 1 : at] - here;
  float slope = (north * north + south * south + west * west + east * east) / (here * here);
  float curve = (north + south + west + east) / here;
  float below = 1.0f + 0.25f * curve, speckle = (0.5f * slope - 0.0625f * curve * curve) / (below * below);
  float value = 1.0f / (1.0f + (speckle - noise) / (noise * (1.0f + noise)));
  coefficient[at] = value < 0 ? 0 : value > 1 ? 1 : value;
}

__global__ void diffuse(const float *in, const float *coefficient, float *out, int side) {
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y, at = y * side + x;
  if (x >= side || y >= side)
    return;
  int north = y > 0 ? at - side : at, south = y < side - 1 ? at + side : at;
  int west = x > 0 ? at - 1 : at, east = x < side - 1 ? at + 1 : at;
  float here = in[at], own = coefficient[at];
  float flow = own * (in[north] - here) + coefficient[south] * (in[south] - here) + own * (in[west] - here) +
               coefficient[east] * (in[east] - here);
  out[at] = here + 0.125f * flow;
}

int main(int argc, char **argv) {
  const int side = (int)bench_argument(argc, argv, 1, 1024, 1, "side");
  const int steps = (int)bench_argument(argc, argv, 2, 300, 1, "steps");
  const int cells = side * side, parts = (cells + BLOCK - 1) / BLOCK;
  float *image = bench_random_floats(cells, 36, 1, 2);
  float *sums = (float *)bench_allocate(parts * sizeof(float));
  float *squares = (float *)bench_allocate(parts * sizeof(float));
  float *now = bench_to_device(image, cells), *next = bench_to_device(image, cells);
  float *coefficient = bench_to_device(image, cells);
  float *sums_device = bench_to_device(sums, parts), *squares_device = bench_to_device(squares, parts);

  dim3 block(TILE, TILE), blocks((side + TILE - 1) / TILE, (side + TILE - 1) / TILE);
  double start = bench_now_ms();
  for (int step = 0; step < steps; step++) {
    add_up<<<parts, BLOCK>>>(now, sums_device, squares_device, cells);
    bench_to_host(sums, sums_device, parts);
    bench_to_host(squares, squares_device, parts);
    double sum = 0, square = 0;
    for (int i = 0; i < parts; i++) {
      sum += sums[i];
      square += squares[i];
    }
    double mean = sum / cells, variance = square / cells - mean * mean;
    make_coefficients<<<blocks, block>>>(now, coefficient, side, (float)(variance / (mean * mean)));
    diffuse<<<blocks, block>>>(now, coefficient, next, side);
    float *swap = now;
    now = next;
    next = swap;
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(image, now, cells);
  bench_report_floats(time_ms, image, cells, 1e-4);
  cudaFree(now);
  cudaFree(next);
  cudaFree(coefficient);
  cudaFree(sums_device);
  cudaFree(squares_device);
  free(image);
  free(sums);
  free(squares);
  return 0;
}
