// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entropy of the greys around each pixel by hand: a square moves along its row, a column of pixels leaves the counts
// and one comes; what they add is summed in order. Arguments: size, iterations.
#include "greys.h"

static inline int within(int place, int n) { return place < 0 ? 0 : place < n ? place : n - 1; }

static inline void add_column(const unsigned char *image, int n, int x, int y, int *counts, int sign) {
  for (int down = -REACH; down <= REACH; down++)
    counts[image[within(y + down, n) * n + within(x, n)]] += sign;
}

static void measure(const unsigned char *restrict image, const float *restrict terms, float *restrict entropy, int n) {
#pragma omp parallel for schedule(static)
  for (int y = 0; y < n; y++) {
    int counts[GREYS] = {0};
    for (int x = -REACH; x < REACH; x++)
      add_column(image, n, x, y, counts, 1);
    for (int x = 0; x < n; x++) {
      add_column(image, n, x + REACH, y, counts, 1);
      float sums[4] = {0};
      for (int grey = 0; grey < GREYS; grey++)
        sums[grey % 4] += terms[counts[grey]];
      entropy[y * n + x] = sums[0] + sums[1] + (sums[2] + sums[3]);
      add_column(image, n, x - REACH, y, counts, -1);
    }
  }
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 512, 1, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 10, 1, "iterations");
  const size_t count = (size_t)n * n;
  unsigned char *image = make_greys(n);
  float *terms = make_terms(), *entropy = bench_allocate(count * sizeof(float));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    measure(image, terms, entropy, n);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, entropy, count, 1e-4);
  return 0;
}
