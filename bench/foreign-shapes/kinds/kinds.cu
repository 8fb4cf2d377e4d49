// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of a random walk's values by kind: a thread for each walk, whose private array the walk indexes.
// Arguments: walks, steps.
#include "paths.h"

__global__ void walk(const uint32_t *seeds, float *results, int count, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float sums[KINDS];
  for (int k = 0; k < KINDS; k++)
    sums[k] = 0;
  uint32_t state = seeds[i];
  for (int step = 0; step < steps; step++) {
    state = state * 1664525u + 1013904223u;
    float value = (float)(state >> 8) * (1.0f / 16777216.0f);
    for (int k = 0; k < 4; k++)
      value = value * (1.5f - 0.5f * value * value) + 0.001f * k;
    sums[state >> 20 & (KINDS - 1)] += value / (1.0f + value * value);
  }
  float result = 0;
  for (int k = 0; k < KINDS; k++)
    result = result * 0.5f + sums[k];
  results[i] = result;
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 16, 1, "walks");
  const int steps = (int)bench_argument(argc, argv, 2, 400, 1, "steps");
  uint32_t *seeds = make_seeds(count), *seeds_device = bench_to_device(seeds, count);
  float *results = (float *)bench_allocate(count * sizeof(float)), *results_device = bench_to_device(results, count);

  double start = bench_now_ms();
  walk<<<(count + 255) / 256, 256>>>(seeds_device, results_device, count, steps);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(results, results_device, count);
  bench_report_floats(time_ms, results, count, 1e-3);
  return 0;
}
