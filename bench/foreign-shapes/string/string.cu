// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waves on many strings, in floats but for the literal 2.0, whose results are rounded at once: a thread for each place. Arguments: strings, places
// of each, iterations.
#include "../../common/bench.h"

__global__ void swing(const float *now, float *last, int length, float stiff) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * length + x;
  if (x < 1 || x >= length - 1)
    return;
  const float bend = now[i - 1] + now[i + 1] - 2.0 * now[i], straight = 2.0 * now[i] - last[i];
  last[i] = straight + stiff * bend;
}

int main(int argc, char **argv) {
  const int strings = (int)bench_argument(argc, argv, 1, 64, 1, "strings");
  const int length = (int)bench_argument(argc, argv, 2, 4096, 3, "places");
  const int iterations = (int)bench_argument(argc, argv, 3, 600, 1, "iterations");
  const size_t count = (size_t)strings * length;
  float *values = bench_random_floats(count, 110, 0, 1), *now = bench_to_device(values, count),
        *last = bench_to_device(values, count);

  const dim3 grid((length + 255) / 256, strings);
  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    swing<<<grid, 256>>>(now, last, length, 0.25f);
    float *swap = now;
    now = last;
    last = swap;
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(values, now, count);
  bench_report_floats(time_ms, values, count, 1e-3);
  return 0;
}
