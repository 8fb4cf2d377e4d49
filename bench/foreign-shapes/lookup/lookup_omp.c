// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binary search by hand: 64 values at once, all halve ranges of the same length, without branches, by gathers.
// Arguments: values to look for, keys, iterations.
#include "keys.h"

enum { GROUP = 64 };

static void look_up(const uint32_t *restrict keys, int size, const uint32_t *restrict wanted, uint32_t *restrict places,
                    int count) {
#pragma omp parallel for schedule(static)
  for (int first = 0; first < count; first += GROUP) {
    const int many = count - first < GROUP ? count - first : GROUP;
    int low[GROUP] = {0}, length = size;
    for (; length > 1; length -= length / 2) {
      const int half = length / 2;
#pragma omp simd
      for (int i = 0; i < many; i++)
        low[i] += keys[low[i] + half - 1] < wanted[first + i] ? half : 0;
    }
#pragma omp simd
    for (int i = 0; i < many; i++)
      places[first + i] += (uint32_t)low[i] + (keys[low[i]] < wanted[first + i]);
  }
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 19, 1, "numbers");
  const int size = (int)bench_argument(argc, argv, 2, 1 << 15, 1, "keys");
  const int iterations = (int)bench_argument(argc, argv, 3, 30, 1, "iterations");
  uint32_t *keys = make_keys(size), *wanted = make_wanted(count, keys[size - 1] + 1);
  uint32_t *places = bench_allocate(count * sizeof(uint32_t));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    look_up(keys, size, wanted, places, count);
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, places, count);
  return 0;
}
