// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points that drift: the threads of the grid step through triples of coordinates in arrays of places and speeds, and put
// back into a box what leaves it. Arguments: points, iterations.
#include "../../common/bench.h"

__global__ void drift(float *places, const float *speeds, int points, float step, float size) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < points; i += gridDim.x * blockDim.x) {
    float x = places[3 * i] + step * speeds[3 * i];
    float y = places[3 * i + 1] + step * speeds[3 * i + 1];
    float z = places[3 * i + 2] + step * speeds[3 * i + 2];
    x -= floorf(x / size) * size;
    y -= floorf(y / size) * size;
    z -= floorf(z / size) * size;
    places[3 * i] = x;
    places[3 * i + 1] = y;
    places[3 * i + 2] = z;
  }
}

int main(int argc, char **argv) {
  const int points = (int)bench_argument(argc, argv, 1, 100000, 1, "points");
  const int iterations = (int)bench_argument(argc, argv, 2, 600, 1, "iterations");
  const size_t count = (size_t)points * 3;
  float *places = bench_random_floats(count, 95, 0, 4), *places_device = bench_to_device(places, count);
  float *speeds_device = bench_to_device(bench_random_floats(count, 96, -1, 1), count);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    drift<<<64, 256>>>(places_device, speeds_device, points, 0.125f, 4.0f);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(places, places_device, count);
  bench_report_floats(time_ms, places, count, 1e-3);
  return 0;
}
