// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prices of European options by hand: a loop over all. Arguments: options, iterations.
#include "../common/bench.h"

static inline float normal_below(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float tail =
      0.39894228f * expf(-0.5f * d * d) *
      (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

static void price(const float *restrict spot, const float *restrict strike, const float *restrict years,
                  float *restrict call, float *restrict put, float rate, float volatility, int n) {
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < n; i++) {
    const float spread = volatility * sqrtf(years[i]);
    const float d1 = (logf(spot[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / spread;
    const float below1 = normal_below(d1), below2 = normal_below(d1 - spread);
    const float later = strike[i] * expf(-rate * years[i]);
    call[i] = spot[i] * below1 - later * below2;
    put[i] = later * (1.0f - below2) - spot[i] * (1.0f - below1);
  }
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1 << 21, 1, "options");
  const int iterations = (int)bench_argument(argc, argv, 2, 9, 1, "iterations");
  float *spot = bench_random_floats(n, 13, 5, 30), *strike = bench_random_floats(n, 14, 1, 100);
  float *years = bench_random_floats(n, 15, 0.25f, 10);
  float *call = bench_allocate(n * sizeof(float)), *put = bench_allocate(n * sizeof(float));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    price(spot, strike, years, call, put, 0.02f, 0.3f, n);
  double time_ms = bench_now_ms() - start;

  for (int i = 0; i < n; i++)
    call[i] += put[i];
  bench_report_floats(time_ms, call, n, 1e-5);
  free(spot);
  free(strike);
  free(years);
  free(call);
  free(put);
  return 0;
}
