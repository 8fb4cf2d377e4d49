// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cheapest ways down a grid, row by row, with the row's costs copied at the end of each iteration into host memory
// that nobody has touched. Arguments: columns, rows of each iteration, iterations.
#include "../../common/bench.h"

__global__ void descend(const int *costs, const int *above, int *below, int columns) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= columns)
    return;
  const int left = above[max(x - 1, 0)], right = above[min(x + 1, columns - 1)];
  below[x] = costs[x] + min(above[x], min(left, right));
}

int main(int argc, char **argv) {
  const int columns = (int)bench_argument(argc, argv, 1, 1 << 21, 1, "columns");
  const int rows = (int)bench_argument(argc, argv, 2, 2, 1, "rows");
  const int iterations = (int)bench_argument(argc, argv, 3, 16, 1, "iterations");
  int *costs = (int *)bench_allocate(columns * sizeof(int)), *found = NULL;
  uint32_t state = 115;
  for (int x = 0; x < columns; x++)
    costs[x] = (int)(bench_random(&state) % 10);
  int *costs_device = bench_to_device(costs, columns), *above = bench_to_device(costs, columns),
      *below = bench_to_device(costs, columns);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    for (int row = 0; row < rows; row++) {
      descend<<<(columns + 255) / 256, 256>>>(costs_device, above, below, columns);
      int *swap = above;
      above = below;
      below = swap;
    }
    free(found);
    found = (int *)malloc(columns * sizeof(int));
    bench_to_host(found, above, columns);
  }
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, (uint32_t *)found, columns);
  return 0;
}
