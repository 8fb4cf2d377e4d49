// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A filter of nine weights over a picture. Buffers and accessors, an item for each element of the result.
// Arguments: size, iterations.
#include "../common/shared.h"

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 4096, 8, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 20, 1, "iterations");
  const size_t size = (size_t)n;
  float *in = bench_random_floats(n * n, 1, 0, 1);
  float *out = (float *)bench_allocate(n * n * sizeof(float));
  sycl::queue q;
  double time_ms;
  {
    matrix in_(in, range<2>(size, size));
    matrix out_(out, range<2>(size, size));
    q.wait();
    const double start = bench_now_ms();
    for (int iteration = 0; iteration < iterations; iteration++) {
      q.submit([&](handler &h) {
        sycl::accessor a(in_, h, read_only);
        sycl::accessor b(out_, h, write_only);
        h.parallel_for(range<2>(size, size), [=](item<2> at) {
          const size_t i = at[0], j = at[1];
          if (i > 0 && i < size - 1 && j > 0 && j < size - 1)
            b[i][j] = 0.2f * a[i - 1][j - 1] - 0.3f * a[i - 1][j] + 0.4f * a[i - 1][j + 1] + 0.5f * a[i][j - 1] +
                      0.6f * a[i][j] + 0.7f * a[i][j + 1] - 0.8f * a[i + 1][j - 1] - 0.9f * a[i + 1][j] +
                      0.1f * a[i + 1][j + 1];
        });
      });
    }
    q.wait();
    time_ms = bench_now_ms() - start;
  }
  bench_report_floats(time_ms, out, n * n, 1e-4);
  free(in);
  free(out);
  return 0;
}
