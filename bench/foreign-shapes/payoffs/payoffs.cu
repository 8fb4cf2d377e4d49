// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Monte Carlo in double precision: a thread for each path draws pairs of normal numbers (log, sin and cos) and adds what
// an option is worth at the end of its path (exp). Arguments: paths, steps, iterations.
#include "../../common/bench.h"

__device__ double draw(uint32_t &state) {
  state = state * 1664525u + 1013904223u;
  return ((state >> 8) + 1) * (1.0 / 16777217.0);
}

__global__ void price(const float *starts, float *payoffs, int paths, int steps, double drift, double wander) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= paths)
    return;
  uint32_t state = i * 2654435761u + 1;
  double along = 0, other = 0;
  for (int step = 0; step < steps; step++) {
    const double far = sqrt(-2 * log(draw(state))), angle = 6.283185307179586 * draw(state);
    along += drift + wander * far * cos(angle);
    other += drift + wander * far * sin(angle);
  }
  payoffs[i] += (float)(fmax(starts[i] * exp(along) - 1, 0.0) + fmax(starts[i] * exp(other) - 1, 0.0));
}

int main(int argc, char **argv) {
  const int paths = (int)bench_argument(argc, argv, 1, 1 << 15, 1, "paths");
  const int steps = (int)bench_argument(argc, argv, 2, 64, 1, "steps");
  const int iterations = (int)bench_argument(argc, argv, 3, 4, 1, "iterations");
  float *starts = bench_to_device(bench_random_floats(paths, 106, 0.8f, 1.2f), paths);
  float *payoffs = (float *)bench_allocate(paths * sizeof(float)), *payoffs_device = bench_to_device(payoffs, paths);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    price<<<(paths + 255) / 256, 256>>>(starts, payoffs_device, paths, steps, 0.0001 * iteration, 0.02);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(payoffs, payoffs_device, paths);
  bench_report_floats(time_ms, payoffs, paths, 1e-5);
  return 0;
}
