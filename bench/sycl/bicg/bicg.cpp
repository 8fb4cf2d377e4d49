// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix by a vector, and its transpose by another. Buffers and accessors, an item for each element of the result.
// Arguments: size, iterations.
#include "../common/shared.h"

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 4096, 8, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 10, 1, "iterations");
  const size_t size = (size_t)n;
  float *a = bench_random_floats(n * n, 1, 0, 1);
  float *p = bench_random_floats(n, 2, 0, 1);
  float *r = bench_random_floats(n, 3, 0, 1);
  float *s = (float *)bench_allocate(n * sizeof(float));
  float *w = (float *)bench_allocate(n * sizeof(float));
  sycl::queue q;
  double time_ms;
  {
    matrix a_(a, range<2>(size, size));
    row p_(p, range<1>(size));
    row r_(r, range<1>(size));
    row s_(s, range<1>(size));
    row w_(w, range<1>(size));
    q.wait();
    const double start = bench_now_ms();
    for (int iteration = 0; iteration < iterations; iteration++) {
      q.submit([&](handler &h) {
        sycl::accessor a(a_, h, read_only);
        sycl::accessor x(p_, h, read_only);
        sycl::accessor y(w_, h, write_only, no_init);
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
        sycl::accessor x(r_, h, read_only);
        sycl::accessor y(s_, h, write_only, no_init);
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
  bench_report_floats(time_ms, s, n, 1e-4);
  free(a);
  free(p);
  free(r);
  free(s);
  free(w);
  return 0;
}
