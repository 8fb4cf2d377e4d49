// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tridiagonal systems (Thomas' algorithm): a thread for each goes down and up its own system, in which each element
// needs the one before; the systems lie side by side. Arguments: systems, iterations.
#include "../../common/bench.h"

#define LENGTH 64

__global__ void solve(const float *lower, const float *upper, const float *right, float *x, int systems) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= systems)
    return;
  float factors[LENGTH], values[LENGTH];
  float factor = upper[i] / 4.0f, value = right[i] / 4.0f;
  factors[0] = factor;
  values[0] = value;
  for (int k = 1; k < LENGTH; k++) {
    const float below = lower[k * systems + i], scale = 1.0f / (4.0f - below * factor);
    factors[k] = factor = upper[k * systems + i] * scale;
    values[k] = value = (right[k * systems + i] - below * value) * scale;
  }
  x[(LENGTH - 1) * systems + i] = value;
  for (int k = LENGTH - 2; k >= 0; k--)
    x[k * systems + i] = value = values[k] - factors[k] * value;
}

int main(int argc, char **argv) {
  const int systems = (int)bench_argument(argc, argv, 1, 1 << 13, 1, "systems");
  const int iterations = (int)bench_argument(argc, argv, 2, 100, 1, "iterations");
  const size_t count = (size_t)systems * LENGTH;
  float *lower = bench_random_floats(count, 74, 0, 1), *upper = bench_random_floats(count, 75, 0, 1);
  float *right = bench_random_floats(count, 76, 0, 1);
  float *lower_device = bench_to_device(lower, count), *upper_device = bench_to_device(upper, count);
  float *now = bench_to_device(right, count), *next = bench_to_device(right, count);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    solve<<<(systems + 127) / 128, 128>>>(lower_device, upper_device, iteration % 2 ? next : now,
                                          iteration % 2 ? now : next, systems);
    if (iteration % 8 == 7)
      BENCH_CHECK(cudaMemcpy(now, right, count * sizeof(float), cudaMemcpyHostToDevice));
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(right, iterations % 2 ? next : now, count);
  bench_report_floats(time_ms, right, count, 1e-4);
  return 0;
}
