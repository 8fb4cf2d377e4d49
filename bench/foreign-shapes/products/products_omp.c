// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix product by hand: packed panels, blocks of the result in registers. Arguments: size, iterations.
#include "../../sycl/common/product.h"

int main(int argc, char **argv) {
  const long n = (bench_argument(argc, argv, 1, 1024, 1, "size") + 15) / 16 * 16;
  const int iterations = (int)bench_argument(argc, argv, 2, 10, 1, "iterations");
  float *c = bench_random_floats(n * n, 63, 0, 1), *a = bench_random_floats(n * n, 61, 0, 1),
        *b = bench_random_floats(n * n, 62, 0, 1);
  const double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    product(a, b, 0, c, n, 1, 1);
  const double time_ms = bench_now_ms() - start;
  bench_report_floats(time_ms, c, n * n, 1e-4);
  return 0;
}
