// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prices of European options by the formula of Black and Scholes, a call and a put for each thread: square root,
// logarithm and exponentials. Arguments: options, iterations.
#include "../common/bench.h"

__device__ inline float normal_below(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float tail = 0.39894228f * expf(-0.5f * d * d) *
               (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

__global__ void price(const float *spot, const float *strike, const float *years, float *call, float *put, float rate,
                      float volatility, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float spread = volatility * sqrtf(years[i]);
  float d1 = (logf(spot[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / spread;
  float d2 = d1 - spread;
  float below1 = normal_below(d1), below2 = normal_below(d2);
  float later = strike[i] * expf(-rate * years[i]);
  call[i] = spot[i] * below1 - later * below2;
  put[i] = later * (1.0f - below2) - spot[i] * (1.0f - below1);
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1 << 21, 1, "options");
  const int iterations = (int)bench_argument(argc, argv, 2, 9, 1, "iterations");
  const int block = 128;
  float *spot = bench_random_floats(n, 13, 5, 30), *strike = bench_random_floats(n, 14, 1, 100);
  float *years = bench_random_floats(n, 15, 0.25f, 10);
  float *spot_device = bench_to_device(spot, n), *strike_device = bench_to_device(strike, n);
  float *years_device = bench_to_device(years, n), *call = bench_to_device(spot, n), *put = bench_to_device(spot, n);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    price<<<(n + block - 1) / block, block>>>(spot_device, strike_device, years_device, call, put, 0.02f, 0.3f, n);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(spot, call, n);
  bench_to_host(strike, put, n);
  for (int i = 0; i < n; i++)
    spot[i] += strike[i];
  bench_report_floats(time_ms, spot, n, 1e-5);
  cudaFree(spot_device);
  cudaFree(strike_device);
  cudaFree(years_device);
  cudaFree(call);
  cudaFree(put);
  free(spot);
  free(strike);
  free(years);
  return 0;
}
