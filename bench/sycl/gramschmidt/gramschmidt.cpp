// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The orthogonal basis of a matrix' columns, a column at a time. Buffers and accessors, an item for each element of
// the result.
// Arguments: size, iterations.
#include "../common/shared.h"

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 512, 8, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 1, 1, "iterations");
  const size_t size = (size_t)n;
  float *a = bench_random_floats(n * n, 1, 0, 1);
  float *r = (float *)bench_allocate(n * n * sizeof(float));
  float *b = (float *)bench_allocate(n * n * sizeof(float));
  sycl::queue q;
  double time_ms;
  {
    matrix a_(a, range<2>(size, size));
    matrix r_(r, range<2>(size, size));
    matrix b_(b, range<2>(size, size));
    q.wait();
    const double start = bench_now_ms();
    for (int iteration = 0; iteration < iterations; iteration++) {
      for (size_t k = 0; k < size; k++) {
        q.submit([&](handler &h) {
          sycl::accessor a(a_, h, read_only);
          sycl::accessor r(r_, h, read_write);
          h.single_task([=] {
            float sum = 0;
            for (size_t i = 0; i < size; i++)
              sum += a[i][k] * a[i][k];
            r[k][k] = sycl::sqrt(sum);
          });
        });
        q.submit([&](handler &h) {
          sycl::accessor a(a_, h, read_only);
          sycl::accessor r(r_, h, read_only);
          sycl::accessor b(b_, h, read_write);
          h.parallel_for(range<1>(size), [=](item<1> at) { b[at[0]][k] = a[at[0]][k] / r[k][k]; });
        });
        q.submit([&](handler &h) {
          sycl::accessor a(a_, h, read_write);
          sycl::accessor r(r_, h, read_write);
          sycl::accessor b(b_, h, read_only);
          h.parallel_for(range<1>(size), [=](item<1> at) {
            const size_t j = at[0];
            if (j <= k)
              return;
            float sum = 0;
            for (size_t i = 0; i < size; i++)
              sum += b[i][k] * a[i][j];
            r[k][j] = sum;
            for (size_t i = 0; i < size; i++)
              a[i][j] -= b[i][k] * sum;
          });
        });
      }
    }
    q.wait();
    time_ms = bench_now_ms() - start;
  }
  bench_report_floats(time_ms, b, n * n, 1e-2);
  free(a);
  free(r);
  free(b);
  return 0;
}
