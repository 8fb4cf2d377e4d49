// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of matrices whose sums stay in memory: of buffers by accessors, and of shared memory by pointers that meet.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  const int n = 64;
  queue q;
  std::vector<float> a(n * n), b(n * n), c(n * n), wanted(n * n);
  for (int i = 0; i < n * n; i++)
    a[i] = (float)(i % 13 - 6), b[i] = (float)(i % 7 - 3), wanted[i] = c[i] = (float)(i % 5);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        wanted[i * n + j] += a[i * n + k] * b[k * n + j];
  {
    buffer<float, 2> a_(a.data(), range<2>(n, n)), b_(b.data(), range<2>(n, n)), c_(c.data(), range<2>(n, n));
    q.submit([&](handler &h) {
      accessor x(a_, h, read_only), y(b_, h, read_only);
      accessor z(c_, h, read_write);
      h.parallel_for(nd_range<2>({n, n}, {16, 16}), [=](nd_item<2> at) {
        size_t i = at.get_global_id(0), j = at.get_global_id(1);
        for (size_t k = 0; k < n; k++)
          z[i][j] += x[i][k] * y[k][j];
      });
    });
  }
  CHECK_SAME(c, wanted, n * n);

  // Each item adds the elements of its row to one of them.
  auto *rows = malloc_shared<float>(n * n, q);
  for (int shift = 0; shift < n; shift += 9) {
    std::vector<float> sums(n * n);
    for (int i = 0; i < n * n; i++)
      sums[i] = rows[i] = (float)(i % 3);
    float *in = rows, *out = rows + shift;
    q.parallel_for(range<1>(n), [=](id<1> i) {
       for (size_t k = 0; k < n; k++)
         out[i[0] * n] += in[i[0] * n + k];
     }).wait();
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++)
        sums[i * n + shift] += sums[i * n + k];
    CHECK_SAME(rows, sums, n * n);
  }
  free(rows, q);
  return report();
}
