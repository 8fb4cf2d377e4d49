// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short parallel loops that write 16,384 numbers. Arguments: iterations.
#include "../../common/bench.h"

enum { COUNT = 64 * 256 };

static void touch(uint32_t *numbers, uint32_t step) {
#pragma omp parallel for simd schedule(static) firstprivate(numbers, step)
  for (int i = 0; i < COUNT; i++)
    numbers[i] = i * step;
}

int main(int argc, char **argv) {
  const int iterations = (int)bench_argument(argc, argv, 1, 50000, 1, "iterations");
  uint32_t *numbers = bench_allocate(COUNT * sizeof(uint32_t));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    touch(numbers, iteration);
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, numbers, COUNT);
  return 0;
}
