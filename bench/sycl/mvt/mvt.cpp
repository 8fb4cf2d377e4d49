// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix and its transpose by vectors, added to vectors. Buffers and accessors, an item for each element of the
// result.
// Arguments: size, iterations.
#include "../common/shared.h"

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 4096, 8, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 10, 1, "iterations");
  const size_t size = (size_t)n;
  float *a = bench_random_floats(n * n, 1, 0, 1);
  float *x = bench_random_floats(n, 2, 0, 1);
  float *y = bench_random_floats(n, 3, 0, 1);
  float *u = bench_random_floats(n, 4, 0, 1);
  float *v = bench_random_floats(n, 5, 0, 1);
  sycl::queue q;
  double time_ms;
  {
    matrix a_(a, range<2>(size, size));
    row x_(x, range<1>(size));
    row y_(y, range<1>(size));
    row u_(u, range<1>(size));
    row v_(v, range<1>(size));
    q.wait();
    const double start = bench_now_ms();
    for (int iteration = 0; iteration < iterations; iteration++) {
      q.submit([&](handler &h) {
        sycl::accessor a(a_, h, read_only);
        sycl::accessor x(x_, h, read_only);
        sycl::accessor y(u_, h, read_write);
        h.parallel_for(range<1>(size), [=](item<1> at) {
          const size_t i = at[0];
          float sum = y[i];
          for (size_t j = 0; j < size; j++)
            sum += a[i][j] * x[j];
          y[i] = sum;
        });
      });
      q.submit([&](handler &h) {
        sycl::accessor a(a_, h, read_only);
        sycl::accessor x(y_, h, read_only);
        sycl::accessor y(v_, h, read_write);
        h.parallel_for(range<1>(size), [=](item<1> at) {
          const size_t i = at[0];
          float sum = y[i];
          for (size_t j = 0; j < size; j++)
            sum += a[j][i] * x[j];
          y[i] = sum;
        });
      });
    }
    q.wait();
    time_ms = bench_now_ms() - start;
  }
  bench_report_floats(time_ms, v, n, 1e-4);
  free(a);
  free(x);
  free(y);
  free(u);
  free(v);
  return 0;
}
