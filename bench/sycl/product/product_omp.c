// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix product added to a matrix. By hand: packed panels, blocks of the result in registers.
// Arguments: size, iterations.
#include "../common/product.h"

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 768, 16, "size") / 16 * 16;
  const int iterations = (int)bench_argument(argc, argv, 2, 3, 1, "iterations");
  float *a = bench_random_floats(n * n, 1, 0, 1);
  float *b = bench_random_floats(n * n, 2, 0, 1);
  float *c = bench_random_floats(n * n, 3, 0, 1);
  const double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    product(a, b, 0, c, n, 1.0f, 1.0f);
  }
  const double time_ms = bench_now_ms() - start;
  bench_report_floats(time_ms, c, n * n, 1e-4);
  free(a);
  free(b);
  free(c);
  return 0;
}
