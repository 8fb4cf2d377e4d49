// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A long chain of commands of an in-order queue without any wait, of kernels, copies and fills.
#include <sycl/sycl.hpp>

#include <algorithm>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q{property::queue::in_order()};
  const int n = 128;
  int *x = malloc_device<int>(n, q), *y = malloc_device<int>(n, q);
  std::vector<int> a(n, 1), b(n, 0), out(n);
  q.memcpy(x, a.data(), n * sizeof(int));
  q.memset(y, 0, n * sizeof(int));
  for (int k = 0; k < 100; k++) {
    q.parallel_for(range<1>(n), [=](id<1> i) { y[i] = (y[i] + x[(i + 1) % n] * (k % 3)) % 10007; });
    q.parallel_for(nd_range<1>(n, 32),
                   [=](nd_item<1> i) { x[i.get_global_id(0)] += y[n - 1 - i.get_global_id(0)] % 7; });
    if (k % 25 == 24)
      q.memcpy(y, x, n / 2 * sizeof(int));
  }
  q.memcpy(out.data(), y, n * sizeof(int)).wait();
  for (int k = 0; k < 100; k++) {
    std::vector<int> old = a;
    for (int i = 0; i < n; i++)
      b[i] = (b[i] + a[(i + 1) % n] * (k % 3)) % 10007;
    for (int i = 0; i < n; i++)
      a[i] += b[n - 1 - i] % 7;
    if (k % 25 == 24)
      std::copy(a.begin(), a.begin() + n / 2, b.begin());
  }
  CHECK_SAME(out, b, n);
  free(x, q), free(y, q);
  return report();
}
