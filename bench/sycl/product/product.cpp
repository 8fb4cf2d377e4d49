// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix product added to a matrix in memory: no sum in a variable (Listing 6 of the SYCL-MLIR paper). Buffers and
// accessors, groups of 16 by 16 items, an item for each element of the result.
// Arguments: size, iterations.
#include "../common/shared.h"

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 768, 16, "size") / 16 * 16;
  const int iterations = (int)bench_argument(argc, argv, 2, 3, 1, "iterations");
  const size_t size = (size_t)n;
  float *a = bench_random_floats(n * n, 1, 0, 1);
  float *b = bench_random_floats(n * n, 2, 0, 1);
  float *c = bench_random_floats(n * n, 3, 0, 1);
  sycl::queue q;
  double time_ms;
  {
    matrix a_(a, range<2>(size, size));
    matrix b_(b, range<2>(size, size));
    matrix c_(c, range<2>(size, size));
    q.wait();
    const double start = bench_now_ms();
    for (int iteration = 0; iteration < iterations; iteration++) {
      q.submit([&](handler &h) {
        sycl::accessor a(a_, h, read_only);
        sycl::accessor b(b_, h, read_only);
        sycl::accessor c(c_, h, read_write);
        h.parallel_for(sycl::nd_range<2>({size, size}, {16, 16}), [=](sycl::nd_item<2> at) {
          const size_t i = at.get_global_id(0), j = at.get_global_id(1);
          for (size_t k = 0; k < size; k++)
            c[i][j] += a[i][k] * b[k][j];
        });
      });
    }
    q.wait();
    time_ms = bench_now_ms() - start;
  }
  bench_report_floats(time_ms, c, n * n, 1e-4);
  free(a);
  free(b);
  free(c);
  return 0;
}
