// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How steep a picture is, by a filter of five by five weights along each axis: constant arrays that the kernel captures
// and loops over. Buffers and accessors, an item for each element of the result.
// Arguments: size, iterations.
#include "../common/shared.h"

enum { SIDE = 5, RIM = SIDE / 2 };

int main(int argc, char **argv) {
  const long n = bench_argument(argc, argv, 1, 2048, SIDE, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 20, 1, "iterations");
  const size_t size = (size_t)n;
  const float along[SIDE][SIDE] = {
      {-1, -2, 0, 2, 1}, {-4, -8, 0, 8, 4}, {-6, -12, 0, 12, 6}, {-4, -8, 0, 8, 4}, {-1, -2, 0, 2, 1}};
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
          if (i < RIM || i >= size - RIM || j < RIM || j >= size - RIM)
            return;
          float x = 0, y = 0;
          for (int row = 0; row < SIDE; row++)
            for (int column = 0; column < SIDE; column++) {
              const float value = a[i + row - RIM][j + column - RIM];
              x += along[row][column] * value;
              y += along[column][row] * value;
            }
          b[i][j] = sycl::sqrt(x * x + y * y);
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
