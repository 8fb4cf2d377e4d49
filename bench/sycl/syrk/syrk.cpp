// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix times its transpose, added to a matrix. Buffers and accessors, an item for each element of the result.
// Arguments: size, iterations.
#include "../common/shared.h"

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 768, 8, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 3, 1, "iterations");
  const size_t size = (size_t)n;
  float *a = bench_random_floats(n * n, 1, 0, 1);
  float *c = bench_random_floats(n * n, 3, 0, 1);
  sycl::queue q;
  double time_ms;
  {
    matrix a_(a, range<2>(size, size));
    matrix c_(c, range<2>(size, size));
    q.wait();
    const double start = bench_now_ms();
    for (int iteration = 0; iteration < iterations; iteration++) {
      q.submit([&](handler &h) {
        sycl::accessor a(a_, h, read_only);
        sycl::accessor c(c_, h, read_write);
        h.parallel_for(range<2>(size, size), [=](item<2> at) {
          const size_t i = at[0], j = at[1];
          float sum = 0.5f * c[i][j];
          for (size_t k = 0; k < size; k++)
            sum += 1.5f * a[i][k] * a[j][k];
          c[i][j] = sum;
        });
      });
    }
    q.wait();
    time_ms = bench_now_ms() - start;
  }
  bench_report_floats(time_ms, c, n * n, 1e-4);
  free(a);
  free(c);
  return 0;
}
