// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global alignment by hand: diagonals of tiles of 64 over the threads; in a row of a tile, what comes from above is
// made in vectors, then one pass carries the gaps along. Arguments: length of the sequences (a multiple of 16),
// iterations.
#include "sequences.h"

enum { SPAN = 64 };

static inline int larger(int a, int b) { return a > b ? a : b; }

static void fill_tile(const int *restrict fits, const int *restrict down, const int *restrict across, int *scores,
                      int length, int tile_y, int tile_x) {
  const size_t width = length + 1;
  const int last_y = tile_y + SPAN < length ? tile_y + SPAN : length, x = tile_x + 1;
  const int size = tile_x + SPAN < length ? SPAN : length - tile_x;
  for (int y = tile_y + 1; y <= last_y; y++) {
    const int *fit = fits + down[y] * LETTERS, *above = scores + (y - 1) * width + x;
    int *row = scores + y * width + x, best[SPAN];
#pragma omp simd
    for (int i = 0; i < size; i++)
      best[i] = larger(above[i - 1] + fit[across[x + i]], above[i] - PENALTY);
    int left = row[-1];
    for (int i = 0; i < size; i++)
      row[i] = left = larger(best[i], left - PENALTY);
  }
}

static void fill(const int *fits, const int *down, const int *across, int *scores, int length) {
  const int tiles = (length + SPAN - 1) / SPAN;
#pragma omp parallel
  for (int diagonal = 0; diagonal < 2 * tiles - 1; diagonal++) {
    const int first = diagonal < tiles ? 0 : diagonal - tiles + 1, last = diagonal < tiles ? diagonal : tiles - 1;
#pragma omp for schedule(static)
    for (int tile = first; tile <= last; tile++)
      fill_tile(fits, down, across, scores, length, (diagonal - tile) * SPAN, tile * SPAN);
  }
}

int main(int argc, char **argv) {
  const int length = (int)bench_argument(argc, argv, 1, 4096, TILE, "length") / TILE * TILE;
  const int iterations = (int)bench_argument(argc, argv, 2, 5, 1, "iterations");
  int *down = make_sequence(length, 22), *across = make_sequence(length, 23), *scores = make_scores(length);
  int fits[LETTERS * LETTERS];
  make_fits(fits);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    fill(fits, down, across, scores, length);
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, (uint32_t *)scores, (size_t)(length + 1) * (length + 1));
  free(down);
  free(across);
  free(scores);
  return 0;
}
