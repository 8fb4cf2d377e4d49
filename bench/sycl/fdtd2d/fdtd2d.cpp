// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An electromagnetic field in two dimensions, in steps of time. Buffers and accessors, an item for each element of
// the result.
// Arguments: size, iterations.
#include "../common/shared.h"

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 2048, 8, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 20, 1, "iterations");
  const size_t size = (size_t)n;
  float *x = bench_random_floats(n * n, 1, 0, 1);
  float *y = bench_random_floats(n * n, 2, 0, 1);
  float *z = bench_random_floats(n * n, 3, 0, 1);
  sycl::queue q;
  double time_ms;
  {
    matrix x_(x, range<2>(size, size));
    matrix y_(y, range<2>(size, size));
    matrix z_(z, range<2>(size, size));
    q.wait();
    const double start = bench_now_ms();
    for (int iteration = 0; iteration < iterations; iteration++) {
      q.submit([&](handler &h) {
        sycl::accessor y(y_, h, read_write);
        sycl::accessor z(z_, h, read_only);
        h.parallel_for(range<2>(size, size), [=](item<2> at) {
          const size_t i = at[0], j = at[1];
          if (i == 0)
            y[i][j] = float(iteration);
          else
            y[i][j] -= 0.5f * (z[i][j] - z[i - 1][j]);
        });
      });
      q.submit([&](handler &h) {
        sycl::accessor x(x_, h, read_write);
        sycl::accessor z(z_, h, read_only);
        h.parallel_for(range<2>(size, size), [=](item<2> at) {
          const size_t i = at[0], j = at[1];
          if (j > 0)
            x[i][j] -= 0.5f * (z[i][j] - z[i][j - 1]);
        });
      });
      q.submit([&](handler &h) {
        sycl::accessor x(x_, h, read_only);
        sycl::accessor y(y_, h, read_only);
        sycl::accessor z(z_, h, read_write);
        h.parallel_for(range<2>(size, size), [=](item<2> at) {
          const size_t i = at[0], j = at[1];
          if (i < size - 1 && j < size - 1)
            z[i][j] -= 0.7f * (x[i][j + 1] - x[i][j] + y[i + 1][j] - y[i][j]);
        });
      });
    }
    q.wait();
    time_ms = bench_now_ms() - start;
  }
  bench_report_floats(time_ms, z, n * n, 1e-4);
  free(x);
  free(y);
  free(z);
  return 0;
}
