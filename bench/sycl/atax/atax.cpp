// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix by a vector, and its transpose by the result. Buffers and accessors, an item for each element of the
// result.
// Arguments: size, iterations.
#include "../common/shared.h"

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 4096, 8, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 10, 1, "iterations");
  const size_t size = (size_t)n;
  float *a = bench_random_floats(n * n, 1, 0, 1);
  float *x = bench_random_floats(n, 2, 0, 1);
  float *t = (float *)bench_allocate(n * sizeof(float));
  float *y = (float *)bench_allocate(n * sizeof(float));
  sycl::queue q;
  double time_ms;
  {
    matrix a_(a, range<2>(size, size));
    row x_(x, range<1>(size));
    row t_(t, range<1>(size));
    row y_(y, range<1>(size));
    q.wait();
    const double start = bench_now_ms();
    for (int iteration = 0; iteration < iterations; iteration++) {
      q.submit([&](handler &h) {
        sycl::accessor a(a_, h, read_only);
        sycl::accessor x(x_, h, read_only);
        sycl::accessor y(t_, h, write_only, no_init);
        h.parallel_for(range<1>(size), [=](item<1> at) {
          const size_t i = at[0];
          float sum = 0;
          for (size_t j = 0; j < size; j++)
            sum += a[i][j] * x[j];
          y[i] = sum;
        });
      });
      q.submit([&](handler &h) {
        sycl::accessor a(a_, h, read_only);
        sycl::accessor x(t_, h, read_only);
        sycl::accessor y(y_, h, write_only, no_init);
        h.parallel_for(range<1>(size), [=](item<1> at) {
          const size_t i = at[0];
          float sum = 0;
          for (size_t j = 0; j < size; j++)
            sum += a[j][i] * x[j];
          y[i] = sum;
        });
      });
    }
    q.wait();
    time_ms = bench_now_ms() - start;
  }
  bench_report_floats(time_ms, y, n, 1e-4);
  free(a);
  free(x);
  free(t);
  free(y);
  return 0;
}
