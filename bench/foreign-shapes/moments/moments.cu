// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moments of many series: a thread for each one adds its samples to the fields of its own struct in global memory.
// Arguments: series, samples of each, iterations.
#include "moments.h"

__global__ void measure(const float *samples, moments *all, int series, int length, float bound) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= series)
    return;
  for (int k = 0; k < length; k++) {
    const float sample = samples[(size_t)k * series + i];
    all[i].sum += sample;
    all[i].squares += sample * sample;
    all[i].least = fminf(all[i].least, sample);
    all[i].most = fmaxf(all[i].most, sample);
    if (sample > bound)
      all[i].above++;
    all[i].seen++;
  }
}

int main(int argc, char **argv) {
  const int series = (int)bench_argument(argc, argv, 1, 1 << 14, 1, "series");
  const int length = (int)bench_argument(argc, argv, 2, 256, 1, "samples");
  const int iterations = (int)bench_argument(argc, argv, 3, 40, 1, "iterations");
  const size_t count = (size_t)series * length;
  float *samples = bench_to_device(bench_random_floats(count, 91, -1, 2), count);
  moments *all = (moments *)bench_allocate(series * sizeof(moments)), *all_device = bench_to_device(all, series);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    measure<<<(series + 255) / 256, 256>>>(samples, all_device, series, length, 0.5f);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(all, all_device, series);
  bench_report_words(time_ms, (uint32_t *)all, series * sizeof(moments) / sizeof(uint32_t));
  return 0;
}
