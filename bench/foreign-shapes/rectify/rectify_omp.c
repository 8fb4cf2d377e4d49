// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step back through a rectifier by hand, for the compiler's vectors. Arguments: numbers, iterations.
#include "layers.h"

static void rectify(const _Float16 *restrict gradient, const _Float16 *restrict feature, _Float16 *restrict back,
                    int count) {
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < count; i++) {
    const float g = (float)gradient[i], f = (float)feature[i];
    const float on = (float)(_Float16)((f > 0 ? 1.0f : 0.0f) * g);
    back[i] = (_Float16)(on * f + g);
  }
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, (1 << 17) + 1, 1, "numbers");
  const int iterations = (int)bench_argument(argc, argv, 2, 1000, 1, "iterations");
  const int padded = (count + 1) / 2 * 2;
  uint16_t *gradient = make_layer(count, 5), *feature = make_layer(count, 6),
           *back = bench_allocate(padded * sizeof(uint16_t));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    rectify((_Float16 *)gradient, (_Float16 *)feature, (_Float16 *)back, count);
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, (uint32_t *)back, (size_t)padded / 2);
  return 0;
}
