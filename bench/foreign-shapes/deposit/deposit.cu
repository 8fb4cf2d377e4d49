// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights that walkers leave in the cells of a plane, by atomic additions of floats amid little arithmetic: a thread for
// each walker. Arguments: walkers, steps.
#include "walkers.h"

__global__ void deposit(const uint32_t *walkers, float *cells, int count, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  uint32_t state = walkers[i];
  for (int step = 0; step < steps; step++) {
    state = state * 1664525u + 1013904223u;
    const int place = (int)(state >> 8);
    const int x = place % SIDE, y = place / SIDE % SIDE;
    const float weight = (float)(x % 7 + y % 5) * 0.015625f;
    atomicAdd(&cells[y * SIDE + x], weight);
  }
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 16, 1, "walkers");
  const int steps = (int)bench_argument(argc, argv, 2, 100, 1, "steps");
  uint32_t *walkers = make_walkers(count), *walkers_device = bench_to_device(walkers, count);
  float *cells = (float *)bench_allocate(CELLS * sizeof(float)), *cells_device = bench_to_device(cells, CELLS);

  double start = bench_now_ms();
  deposit<<<(count + 255) / 256, 256>>>(walkers_device, cells_device, count, steps);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(cells, cells_device, CELLS);
  bench_report_floats(time_ms, cells, CELLS, 1e-5);
  return 0;
}
