// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps down a slope with momentum: in each iteration four short launches after each other, of 32 blocks of 128 threads.
// Arguments: numbers, iterations.
#include "../../common/bench.h"

__global__ void slope_at(const float *places, const float *goals, float *slopes, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    slopes[i] = places[i] - goals[i];
}

__global__ void turn(float *slopes, const float *places, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    slopes[i] += 0.1f * (places[i] - places[count - 1 - i]);
}

__global__ void carry(float *speeds, const float *slopes, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    speeds[i] = 0.75f * speeds[i] - 0.125f * slopes[i];
}

__global__ void go(float *places, const float *speeds, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    places[i] += speeds[i];
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 32 * 128, 1, "numbers");
  const int iterations = (int)bench_argument(argc, argv, 2, 10000, 1, "iterations");
  float *places = bench_random_floats(count, 112, 0, 1), *places_device = bench_to_device(places, count);
  float *goals = bench_to_device(bench_random_floats(count, 113, 1, 2), count),
        *slopes = bench_to_device(places, count);
  float *speeds = bench_to_device((float *)bench_allocate(count * sizeof(float)), count);

  const int blocks = (count + 127) / 128;
  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    slope_at<<<blocks, 128>>>(places_device, goals, slopes, count);
    turn<<<blocks, 128>>>(slopes, places_device, count);
    carry<<<blocks, 128>>>(speeds, slopes, count);
    go<<<blocks, 128>>>(places_device, speeds, count);
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(places, places_device, count);
  bench_report_floats(time_ms, places, count, 1e-4);
  return 0;
}
