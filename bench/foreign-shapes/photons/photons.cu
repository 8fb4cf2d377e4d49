// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Photons through a slab: a thread for each one goes free paths (logf) until it has left the slab or is through its
// steps. Arguments: photons, steps, iterations.
#include "../../common/bench.h"

__device__ float draw(uint32_t &state) {
  state = state * 1664525u + 1013904223u;
  return ((state >> 8) + 1) * (1.0f / 16777216.0f);
}

__global__ void travel(const float *thickness, float *weights, int photons, int steps, float mean) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= photons)
    return;
  uint32_t state = i * 2654435761u + 1;
  float depth = 0, weight = 1;
  for (int step = 0; step < steps; step++) {
    const float way = -mean * logf(draw(state)), slope = 2.0f * draw(state) - 1.0f;
    depth = fabsf(depth + way * slope);
    weight *= depth < thickness[i] ? 0.98f : 0.5f;
  }
  weights[i] += weight;
}

int main(int argc, char **argv) {
  const int photons = (int)bench_argument(argc, argv, 1, 1 << 16, 1, "photons");
  const int steps = (int)bench_argument(argc, argv, 2, 100, 1, "steps");
  const int iterations = (int)bench_argument(argc, argv, 3, 10, 1, "iterations");
  float *thickness = bench_to_device(bench_random_floats(photons, 107, 2, 8), photons);
  float *weights = (float *)bench_allocate(photons * sizeof(float)),
        *weights_device = bench_to_device(weights, photons);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    travel<<<(photons + 255) / 256, 256>>>(thickness, weights_device, photons, steps, 1.0f);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(weights, weights_device, photons);
  bench_report_floats(time_ms, weights, photons, 1e-3);
  return 0;
}
