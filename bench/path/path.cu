// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cheapest way down a grid, a row after the other, each step straight or to a side (dynamic programming): a block
// makes 10 rows of a stretch in shared memory, which narrows by a cell at both ends with each row. Arguments: columns,
// rows, iterations.
#include "../common/bench.h"

#define BLOCK 256
#define STEPS 10
#define INNER (BLOCK - 2 * STEPS)

__global__ void descend(const int *cost, const int *in, int *out, int columns, int row, int steps) {
  __shared__ int before[BLOCK];
  __shared__ int after[BLOCK];
  int me = threadIdx.x, x = (int)(blockIdx.x * INNER) - STEPS + me;
  bool within = x >= 0 && x < columns;
  int west = x == 0 ? me : me - 1, east = x == columns - 1 ? me : me + 1;
  if (within)
    before[me] = in[x];
  __syncthreads();
  bool done = false;
  for (int step = 0; step < steps; step++) {
    done = false;
    if (within && me > step && me < BLOCK - 1 - step) {
      done = true;
      after[me] = min(before[west], min(before[me], before[east])) + cost[(row + step) * columns + x];
    }
    __syncthreads();
    if (step == steps - 1)
      break;
    if (done)
      before[me] = after[me];
    __syncthreads();
  }
  if (done && me >= STEPS && me < BLOCK - STEPS)
    out[x] = after[me];
}

int main(int argc, char **argv) {
  const int columns = (int)bench_argument(argc, argv, 1, 1 << 18, 1, "columns");
  const int rows = (int)bench_argument(argc, argv, 2, 100, 2, "rows");
  const int iterations = (int)bench_argument(argc, argv, 3, 16, 1, "iterations");
  const size_t cells = (size_t)columns * rows;
  int *cost = (int *)bench_allocate(cells * sizeof(int));
  uint32_t state = 25;
  for (size_t i = 0; i < cells; i++)
    cost[i] = (int)(bench_random(&state) % 10);
  int *cost_device = bench_to_device(cost, cells), *now = bench_to_device(cost, columns);
  int *next = bench_to_device(cost, columns);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    BENCH_CHECK(cudaMemcpy(now, cost_device, columns * sizeof(int), cudaMemcpyDeviceToDevice));
    for (int row = 1; row < rows; row += STEPS) {
      int steps = rows - row < STEPS ? rows - row : STEPS;
      descend<<<(columns + INNER - 1) / INNER, BLOCK>>>(cost_device, now, next, columns, row, steps);
      int *swap = now;
      now = next;
      next = swap;
    }
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(cost, now, columns);
  bench_report_words(time_ms, (uint32_t *)cost, columns);
  cudaFree(cost_device);
  cudaFree(now);
  cudaFree(next);
  free(cost);
  return 0;
}
