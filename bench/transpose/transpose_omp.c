// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes a square matrix by hand, in tiles that fit the first cache. Arguments: side, iterations.
#include "../common/bench.h"

enum { TILE = 32 };

static void transpose(const float *restrict in, float *restrict out, int side) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int first_x = 0; first_x < side; first_x += TILE)
    for (int first_y = 0; first_y < side; first_y += TILE) {
      const int last_x = first_x + TILE < side ? first_x + TILE : side;
      const int last_y = first_y + TILE < side ? first_y + TILE : side;
      for (int x = first_x; x < last_x; x++)
#pragma omp simd
        for (int y = first_y; y < last_y; y++)
          out[(size_t)x * side + y] = in[(size_t)y * side + x];
    }
}

int main(int argc, char **argv) {
  const int side = (int)bench_argument(argc, argv, 1, 4000, 1, "side");
  const int iterations = (int)bench_argument(argc, argv, 2, 20, 1, "iterations");
  const size_t cells = (size_t)side * side;
  float *in = bench_random_floats(cells, 27, 0, 1), *out = bench_allocate(cells * sizeof(float));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    transpose(in, out, side);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, out, cells, 0);
  free(in);
  free(out);
  return 0;
}
