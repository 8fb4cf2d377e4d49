// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Levels by hand: the range once for all, then one pass that stretches. Arguments: pixels (a multiple of 4),
// iterations.
#include "../common/bench.h"

static void stretch(const uint8_t *restrict in, uint8_t *restrict out, int n) {
  uint8_t low = 255, high = 0;
#pragma omp parallel for simd schedule(static) aligned(in : 64) reduction(min : low) reduction(max : high)
  for (int i = 0; i < n; i++) {
    low = in[i] < low ? in[i] : low;
    high = in[i] > high ? in[i] : high;
  }
  const float scale = 255.0f / (float)(high > low ? high - low : 1);
// Values of each thread's own: a store of a byte might change shared ones.
#pragma omp parallel for simd schedule(static) aligned(in, out : 64) firstprivate(in, out, low, scale)
  for (int i = 0; i < n; i++)
    out[i] = (uint8_t)((float)(in[i] - low) * scale + 0.5f);
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1 << 24, 4, "pixels") / 4 * 4;
  const int iterations = (int)bench_argument(argc, argv, 2, 60, 1, "iterations");
  uint8_t *in = bench_allocate(n), *out = bench_allocate(n);
  uint32_t state = 8;
  for (int i = 0; i < n; i++)
    in[i] = (uint8_t)(60 + bench_random(&state) % 100);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    stretch(in, out, n);
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, (const uint32_t *)out, n / 4);
  free(in);
  free(out);
  return 0;
}
