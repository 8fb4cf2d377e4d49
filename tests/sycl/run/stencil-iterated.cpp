// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stencil of five points in forty steps, two buffers that change places; accessors bring the steps in order.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  const int n = 66, steps = 40;
  queue q;
  std::vector<float> a(n * n), b(n * n), x(n * n), y;
  for (int i = 0; i < n * n; i++)
    x[i] = a[i] = b[i] = i % 13;
  y = x;
  for (int step = 0; step < steps; step++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        y[i * n + j] = 0.25f * (x[(i - 1) * n + j] + x[(i + 1) * n + j] + x[i * n + j - 1] + x[i * n + j + 1]);
    std::swap(x, y);
  }
  {
    buffer<float, 2> A(a.data(), range<2>(n, n)), B(b.data(), range<2>(n, n));
    buffer<float, 2> *from = &A, *to = &B;
    for (int step = 0; step < steps; step++) {
      q.submit([&](handler &h) {
        accessor in(*from, h, read_only);
        accessor out(*to, h, write_only);
        h.parallel_for(range<2>(n - 2, n - 2), [=](id<2> at) {
          const int i = at[0] + 1, j = at[1] + 1;
          out[i][j] = 0.25f * (in[i - 1][j] + in[i + 1][j] + in[i][j - 1] + in[i][j + 1]);
        });
      });
      std::swap(from, to);
    }
  }
  CHECK_SAME(a, x, x.size());
  return report();
}
