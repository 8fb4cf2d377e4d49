// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Needleman and Wunsch: scores of two sequences, a launch for each diagonal of tiles, in a tile diagonals of cells with
// barriers; then the table goes into host memory that nobody has touched. Arguments: length (a multiple of 16),
// iterations.
#include "fits.h"

#define TILE 16

__global__ void fill(const int *fits, int *scores, int length, int first_x, int last_y) {
  __shared__ int part[TILE + 1][TILE + 1], fit[TILE][TILE];
  const int me = threadIdx.x, width = length + 1;
  const int tile_x = first_x + blockIdx.x, tile_y = last_y - blockIdx.x;
  const int corner = width * TILE * tile_y + TILE * tile_x;
  if (me == 0)
    part[0][0] = scores[corner];
  for (int y = 0; y < TILE; y++)
    fit[y][me] = fits[corner + width * (y + 1) + me + 1];
  part[me + 1][0] = scores[corner + width * (me + 1)];
  part[0][me + 1] = scores[corner + me + 1];
  __syncthreads();
  for (int diagonal = 0; diagonal < 2 * TILE - 1; diagonal++) {
    const int x = me + 1, y = diagonal - me + 1;
    if (y >= 1 && y <= TILE)
      part[y][x] = max(part[y - 1][x - 1] + fit[y - 1][x - 1], max(part[y][x - 1], part[y - 1][x]) - PENALTY);
    __syncthreads();
  }
  for (int y = 0; y < TILE; y++)
    scores[corner + width * (y + 1) + me + 1] = part[y + 1][me + 1];
}

int main(int argc, char **argv) {
  const int length = (int)bench_argument(argc, argv, 1, 2048, TILE, "length") / TILE * TILE;
  const int iterations = (int)bench_argument(argc, argv, 2, 8, 1, "iterations");
  const int tiles = length / TILE, width = length + 1;
  const size_t cells = (size_t)width * width;
  int *fits = make_fits(length), *rims = (int *)bench_allocate(cells * sizeof(int)), *scores = NULL;
  for (int i = 0; i < width; i++)
    rims[i] = rims[(size_t)i * width] = -PENALTY * i;
  int *fits_device = bench_to_device(fits, cells), *scores_device = bench_to_device(rims, cells);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    for (int diagonal = 0; diagonal < 2 * tiles - 1; diagonal++) {
      const int first = max(0, diagonal - tiles + 1), last = min(diagonal, tiles - 1);
      fill<<<last - first + 1, TILE>>>(fits_device, scores_device, length, first, last);
    }
    free(scores);
    scores = (int *)malloc(cells * sizeof(int));
    bench_to_host(scores, scores_device, cells);
  }
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, (uint32_t *)scores, cells);
  return 0;
}
