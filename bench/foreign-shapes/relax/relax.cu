// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat in a plate with sources, in floats but for the literal 2.0: a thread for each cell. Arguments: size, iterations.
#include "../../common/bench.h"

__global__ void relax(const float *in, const float *sources, float *out, int n, float across, float down, float rate) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
    return;
  const int i = y * n + x;
  out[i] = in[i] + rate * (sources[i] + (in[i - 1] + in[i + 1] - 2.0 * in[i]) * across +
                           (in[i - n] + in[i + n] - 2.0 * in[i]) * down + (0.5f - in[i]) * 0.01f);
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 512, 3, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 600, 1, "iterations");
  const size_t count = (size_t)n * n;
  float *values = bench_random_floats(count, 108, 0, 1), *now = bench_to_device(values, count),
        *next = bench_to_device(values, count),
        *sources = bench_to_device(bench_random_floats(count, 109, 0, 0.01f), count);

  const dim3 block(32, 8), grid((n + 31) / 32, (n + 7) / 8);
  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    relax<<<grid, block>>>(now, sources, next, n, 0.4f, 0.3f, 0.5f);
    float *swap = now;
    now = next;
    next = swap;
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(values, now, count);
  bench_report_floats(time_ms, values, count, 1e-4);
  return 0;
}
