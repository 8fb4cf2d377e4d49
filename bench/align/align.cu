// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global alignment of two sequences (dynamic programming): the square of scores in tiles of 16, a launch for each
// diagonal of tiles; within a tile in shared memory, 16 threads make each diagonal of cells, with a barrier after each.
// Arguments: length of the sequences (a multiple of 16), iterations.
#include "sequences.h"

__constant__ int fits[LETTERS * LETTERS];

__global__ void fill_tiles(const int *down, const int *across, int *scores, int width, int diagonal, int first) {
  __shared__ int tile[TILE + 1][TILE + 1];
  __shared__ int fit[TILE][TILE];
  int me = threadIdx.x, tile_x = first + blockIdx.x, tile_y = diagonal - tile_x;
  int x = tile_x * TILE, y = tile_y * TILE; // the corner that is there already
  int letter = across[x + 1 + me];
  for (int row = 0; row < TILE; row++)
    fit[row][me] = fits[down[y + 1 + row] * LETTERS + letter];
  if (me == 0)
    tile[0][0] = scores[y * width + x];
  tile[0][me + 1] = scores[y * width + x + 1 + me];
  tile[me + 1][0] = scores[(y + 1 + me) * width + x];
  __syncthreads();
  for (int step = 0; step < TILE; step++) {
    if (me <= step) {
      int tx = me + 1, ty = step - me + 1;
      tile[ty][tx] =
          max(tile[ty - 1][tx - 1] + fit[ty - 1][tx - 1], max(tile[ty][tx - 1] - PENALTY, tile[ty - 1][tx] - PENALTY));
    }
    __syncthreads();
  }
  for (int step = TILE - 2; step >= 0; step--) {
    if (me <= step) {
      int tx = me + TILE - step, ty = TILE - me;
      tile[ty][tx] =
          max(tile[ty - 1][tx - 1] + fit[ty - 1][tx - 1], max(tile[ty][tx - 1] - PENALTY, tile[ty - 1][tx] - PENALTY));
    }
    __syncthreads();
  }
  for (int row = 0; row < TILE; row++)
    scores[(y + 1 + row) * width + x + 1 + me] = tile[row + 1][me + 1];
}

int main(int argc, char **argv) {
  const int length = (int)bench_argument(argc, argv, 1, 4096, TILE, "length") / TILE * TILE;
  const int iterations = (int)bench_argument(argc, argv, 2, 5, 1, "iterations");
  const int width = length + 1, tiles = length / TILE;
  int *down = make_sequence(length, 22), *across = make_sequence(length, 23), *scores = make_scores(length);
  int fits_host[LETTERS * LETTERS];
  make_fits(fits_host);
  BENCH_CHECK(cudaMemcpyToSymbol(fits, fits_host, sizeof fits_host));
  int *down_device = bench_to_device(down, width), *across_device = bench_to_device(across, width);
  int *scores_device = bench_to_device(scores, (size_t)width * width);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    for (int diagonal = 0; diagonal < 2 * tiles - 1; diagonal++) {
      int first = diagonal < tiles ? 0 : diagonal - tiles + 1, last = diagonal < tiles ? diagonal : tiles - 1;
      fill_tiles<<<last - first + 1, TILE>>>(down_device, across_device, scores_device, width, diagonal, first);
    }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(scores, scores_device, (size_t)width * width);
  bench_report_words(time_ms, (uint32_t *)scores, (size_t)width * width);
  cudaFree(down_device);
  cudaFree(across_device);
  cudaFree(scores_device);
  free(down);
  free(across);
  free(scores);
  return 0;
}
