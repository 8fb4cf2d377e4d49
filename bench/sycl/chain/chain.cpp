// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two element-wise kernels after each other: the second reads what the first wrote. Buffers and accessors, an item for each
// element.
// Arguments: size, iterations.
#include "../common/shared.h"

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 1 << 20, 8, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 300, 1, "iterations");
  const size_t size = (size_t)n;
  float *x = bench_random_floats(n, 1, 0, 1);
  float *t = (float *)bench_allocate(n * sizeof(float));
  float *y = (float *)bench_allocate(n * sizeof(float));
  sycl::queue q;
  double time_ms;
  {
    row x_(x, range<1>(size));
    row t_(t, range<1>(size));
    row y_(y, range<1>(size));
    q.wait();
    const double start = bench_now_ms();
    for (int iteration = 0; iteration < iterations; iteration++) {
      q.submit([&](handler &h) {
        sycl::accessor x(x_, h, read_only);
        sycl::accessor t(t_, h, write_only, no_init);
        h.parallel_for(range<1>(size), [=](sycl::id<1> i) { t[i] = x[i] * 0.75f + 0.125f; });
      });
      q.submit([&](handler &h) {
        sycl::accessor t(t_, h, read_only);
        sycl::accessor y(y_, h, write_only, no_init);
        h.parallel_for(range<1>(size), [=](sycl::id<1> i) { y[i] = t[i] * t[i] - t[i]; });
      });
    }
    q.wait();
    time_ms = bench_now_ms() - start;
  }
  bench_report_floats(time_ms, y, n, 1e-5);
  free(x);
  free(t);
  free(y);
  return 0;
}
