// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two matrix products, one after the other. Buffers and accessors, an item for each element of the result.
// Arguments: size, iterations.
#include "../common/shared.h"

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 768, 8, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 2, 1, "iterations");
  const size_t size = (size_t)n;
  float *a = bench_random_floats(n * n, 1, 0, 1);
  float *b = bench_random_floats(n * n, 2, 0, 1);
  float *c = (float *)bench_allocate(n * n * sizeof(float));
  float *d = bench_random_floats(n * n, 3, 0, 1);
  float *e = (float *)bench_allocate(n * n * sizeof(float));
  sycl::queue q;
  double time_ms;
  {
    matrix a_(a, range<2>(size, size));
    matrix b_(b, range<2>(size, size));
    matrix c_(c, range<2>(size, size));
    matrix d_(d, range<2>(size, size));
    matrix e_(e, range<2>(size, size));
    q.wait();
    const double start = bench_now_ms();
    for (int iteration = 0; iteration < iterations; iteration++) {
      q.submit([&](handler &h) {
        sycl::accessor a(a_, h, read_only);
        sycl::accessor b(b_, h, read_only);
        sycl::accessor c(c_, h, write_only, no_init);
        h.parallel_for(range<2>(size, size), [=](item<2> at) {
          const size_t i = at[0], j = at[1];
          float sum = 0;
          for (size_t k = 0; k < size; k++)
            sum += a[i][k] * b[k][j];
          c[i][j] = sum;
        });
      });
      q.submit([&](handler &h) {
        sycl::accessor a(c_, h, read_only);
        sycl::accessor b(d_, h, read_only);
        sycl::accessor c(e_, h, write_only, no_init);
        h.parallel_for(range<2>(size, size), [=](item<2> at) {
          const size_t i = at[0], j = at[1];
          float sum = 0;
          for (size_t k = 0; k < size; k++)
            sum += a[i][k] * b[k][j];
          c[i][j] = sum;
        });
      });
    }
    q.wait();
    time_ms = bench_now_ms() - start;
  }
  bench_report_floats(time_ms, e, n * n, 1e-4);
  free(a);
  free(b);
  free(c);
  free(d);
  free(e);
  return 0;
}
