// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of 64 blocks of 256 threads, each of which writes one number. Arguments: iterations.
#include "../../common/bench.h"

enum { COUNT = 64 * 256 };

__global__ void touch(uint32_t *numbers, uint32_t step) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  numbers[i] = i * step;
}

int main(int argc, char **argv) {
  const int iterations = (int)bench_argument(argc, argv, 1, 50000, 1, "iterations");
  uint32_t *numbers = (uint32_t *)bench_allocate(COUNT * sizeof(uint32_t)), *device = bench_to_device(numbers, COUNT);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    touch<<<64, 256>>>(device, iteration);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(numbers, device, COUNT);
  bench_report_words(time_ms, numbers, COUNT);
  return 0;
}
