// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The area of a quarter of a circle by Monte Carlo by hand: 64 generators side by side in vectors. Arguments: threads
// (generators), draws of each.
#include "../common/bench.h"

enum { GROUP = 64 };

static uint32_t count_inside(int generators, int draws) {
  uint32_t inside = 0;
#pragma omp parallel for schedule(static) reduction(+ : inside)
  for (int first = 0; first < generators; first += GROUP) {
    const int size = generators - first < GROUP ? generators - first : GROUP;
    uint32_t states[GROUP], counts[GROUP] = {0};
    for (int i = 0; i < GROUP; i++)
      states[i] = (uint32_t)(first + i) * 2654435761u + 1;
    for (int draw = 0; draw < draws; draw++) {
#pragma omp simd
      for (int i = 0; i < GROUP; i++) {
        uint32_t state = states[i];
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        states[i] = state;
        const uint32_t x = state & 0x7fff, y = state >> 17;
        counts[i] += x * x + y * y < 0x7fffu * 0x7fffu;
      }
    }
    for (int i = 0; i < size; i++)
      inside += counts[i];
  }
  return inside;
}

int main(int argc, char **argv) {
  const int generators = (int)bench_argument(argc, argv, 1, 1 << 16, 1, "threads");
  const int draws = (int)bench_argument(argc, argv, 2, 32000, 1, "draws");

  double start = bench_now_ms();
  uint32_t inside = count_inside(generators, draws);
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, &inside, 1);
  return 0;
}
