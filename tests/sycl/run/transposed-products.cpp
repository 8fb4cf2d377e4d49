// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products with a transpose, of one and of two arrays that each item of a row goes through in a row of its own; sizes
// that tiles and stacks of groups do not divide.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <vector>

using namespace sycl;

static void products(size_t n, size_t depth, bool two) {
  std::vector<float> a(n * depth), b(n * depth), c(n * n), given(n * n);
  for (size_t i = 0; i < n * depth; i++)
    a[i] = float(int(i * 7 % 11) - 5), b[i] = float(int(i * 5 % 13) - 6);
  for (size_t i = 0; i < n * n; i++)
    given[i] = c[i] = float(i % 17);
  {
    buffer<float, 2> of_a(a.data(), range<2>(n, depth)), of_b(b.data(), range<2>(n, depth)),
        of_c(c.data(), range<2>(n, n));
    queue q;
    q.submit([&](handler &h) {
      accessor x(of_a, h, read_only), y(of_b, h, read_only);
      accessor z(of_c, h, read_write);
      if (two)
        h.parallel_for(range<2>(n, n), [=](item<2> at) {
          const size_t i = at[0], j = at[1];
          float sum = z[i][j];
          for (size_t k = 0; k < depth; k++)
            sum += x[i][k] * y[j][k] + y[i][k] * x[j][k];
          z[i][j] = sum;
        });
      else
        h.parallel_for(range<2>(n, n), [=](item<2> at) {
          const size_t i = at[0], j = at[1];
          float sum = z[i][j];
          for (size_t k = 0; k < depth; k++)
            sum += x[i][k] * y[j][k];
          z[i][j] = sum;
        });
    });
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      float sum = given[i * n + j];
      for (size_t k = 0; k < depth; k++)
        sum += a[i * depth + k] * b[j * depth + k] + (two ? b[i * depth + k] * a[j * depth + k] : 0);
      given[i * n + j] = sum;
    }
  CHECK_SAME(c, given, n * n);
}

int main() {
  for (int two = 0; two < 2; two++) {
    products(100, 300, two);
    products(97, 129, two);
    products(258, 130, two);
    products(33, 50, two);
  }
  return report();
}
