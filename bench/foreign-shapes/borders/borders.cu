// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mean over the square around each cell that lies in the grid: the bounds of a thread's loops differ at the borders.
// Arguments: size, reach, iterations.
#include "../../common/bench.h"

__global__ void smooth(const float *in, float *out, int n, int reach) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  const int left = max(x - reach, 0), right = min(x + reach, n - 1);
  const int top = max(y - reach, 0), bottom = min(y + reach, n - 1);
  float sum = 0;
  for (int row = top; row <= bottom; row++)
    for (int column = left; column <= right; column++)
      sum += in[row * n + column];
  out[y * n + x] = sum / ((right - left + 1) * (bottom - top + 1));
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 512, 1, "size");
  const int reach = (int)bench_argument(argc, argv, 2, 4, 0, "reach");
  const int iterations = (int)bench_argument(argc, argv, 3, 30, 1, "iterations");
  const size_t count = (size_t)n * n;
  float *values = bench_random_floats(count, 97, 0, 1), *now = bench_to_device(values, count),
        *next = bench_to_device(values, count);

  const dim3 block(32, 8), grid((n + 31) / 32, (n + 7) / 8);
  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    smooth<<<grid, block>>>(now, next, n, reach);
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
