// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two matrix products, one after the other. By hand: packed panels, blocks of the result in registers.
// Arguments: size, iterations.
#include "../common/product.h"

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 768, 8, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 2, 1, "iterations");
  float *a = bench_random_floats(n * n, 1, 0, 1);
  float *b = bench_random_floats(n * n, 2, 0, 1);
  float *c = bench_allocate(n * n * sizeof(float));
  float *d = bench_random_floats(n * n, 3, 0, 1);
  float *e = bench_allocate(n * n * sizeof(float));
  const double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    product(a, b, 0, c, n, 1, 0);
    product(c, d, 0, e, n, 1, 0);
  }
  const double time_ms = bench_now_ms() - start;
  bench_report_floats(time_ms, e, n * n, 1e-4);
  free(a);
  free(b);
  free(c);
  free(d);
  free(e);
  return 0;
}
