// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A separable filter of 17 weights (in constant memory) over an image, along rows, then along columns, each from a tile
// with a halo in shared memory. Beyond the image all is 0. Arguments: side, iterations.
#include "filter.h"

#define WIDTH 32
#define HEIGHT 8
#define DEPTH 4 // pixels that a thread makes along a column

__constant__ float weights[WEIGHTS];

__global__ void filter_rows(const float *in, float *out, int side) {
  __shared__ float tile[HEIGHT][WIDTH + 2 * RADIUS];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * WIDTH + tx, y = blockIdx.y * HEIGHT + ty;
  for (int k = tx; k < WIDTH + 2 * RADIUS; k += WIDTH) {
    int from = (int)blockIdx.x * WIDTH + k - RADIUS;
    tile[ty][k] = y < side && from >= 0 && from < side ? in[y * side + from] : 0;
  }
  __syncthreads();
  if (x >= side || y >= side)
    return;
  float sum = 0;
  for (int k = 0; k < WEIGHTS; k++)
    sum += weights[k] * tile[ty][tx + k];
  out[y * side + x] = sum;
}

__global__ void filter_columns(const float *in, float *out, int side) {
  __shared__ float tile[DEPTH * HEIGHT + 2 * RADIUS][WIDTH];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * WIDTH + tx, top = blockIdx.y * DEPTH * HEIGHT;
  for (int k = ty; k < DEPTH * HEIGHT + 2 * RADIUS; k += HEIGHT) {
    int from = top + k - RADIUS;
    tile[k][tx] = x < side && from >= 0 && from < side ? in[from * side + x] : 0;
  }
  __syncthreads();
  for (int row = ty; row < DEPTH * HEIGHT; row += HEIGHT) {
    if (x >= side || top + row >= side)
      return;
    float sum = 0;
    for (int k = 0; k < WEIGHTS; k++)
      sum += weights[k] * tile[row + k][tx];
    out[(top + row) * side + x] = sum;
  }
}

int main(int argc, char **argv) {
  const int side = (int)bench_argument(argc, argv, 1, 2048, 1, "side");
  const int iterations = (int)bench_argument(argc, argv, 2, 30, 1, "iterations");
  const size_t cells = (size_t)side * side;
  float *image = bench_random_floats(cells, 35, 0, 1), weights_host[WEIGHTS];
  make_weights(weights_host);
  BENCH_CHECK(cudaMemcpyToSymbol(weights, weights_host, sizeof weights_host));
  float *now = bench_to_device(image, cells), *between = bench_to_device(image, cells);

  dim3 block(WIDTH, HEIGHT), rows((side + WIDTH - 1) / WIDTH, (side + HEIGHT - 1) / HEIGHT);
  dim3 columns((side + WIDTH - 1) / WIDTH, (side + DEPTH * HEIGHT - 1) / (DEPTH * HEIGHT));
  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    filter_rows<<<rows, block>>>(now, between, side);
    filter_columns<<<columns, block>>>(between, now, side);
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(image, now, cells);
  bench_report_floats(time_ms, image, cells, 1e-5);
  cudaFree(now);
  cudaFree(between);
  free(image);
  return 0;
}
