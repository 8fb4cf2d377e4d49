// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weighted sums of rows of a table by hand: a row of the table is one vector. Arguments: bags, iterations.
#include "bags.h"

typedef float vector __attribute__((vector_size(WIDTH * sizeof(float)), aligned(4)));

static void add_rows(const bags *b, float *restrict out, int count) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < count; i++) {
    vector sums = {0};
    for (int k = b->starts[i]; k < b->starts[i + 1]; k++)
      sums += b->weights[k] * *(const vector *)(b->table + b->members[k] * WIDTH);
    *(vector *)(out + (size_t)i * WIDTH) = sums;
  }
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 16, 1, "bags");
  const int iterations = (int)bench_argument(argc, argv, 2, 50, 1, "iterations");
  bags b = make_bags(count);
  float *sums = bench_allocate((size_t)count * WIDTH * sizeof(float));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    add_rows(&b, sums, count);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, sums, (size_t)count * WIDTH, 1e-5);
  return 0;
}
