// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains of commands on several queues through buffers: each sees what those before it wrote.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue p, q;
  const int n = 64;
  std::vector<long> a(n, 1), b(n, 2), c(n, 0);
  long x = 1, y = 2, z = 0;
  {
    buffer A(a), B(b), C(c);
    for (int k = 0; k < 10; k++) {
      queue &one = k % 2 ? p : q, &other = k % 2 ? q : p;
      one.submit([&](handler &h) {
        accessor from(A, h, read_only);
        accessor with(B, h, read_only);
        accessor to(C, h, write_only);
        h.parallel_for(range<1>(n), [=](id<1> i) { to[i] = from[i] + with[i] * k; });
      });
      other.submit([&](handler &h) {
        accessor from(C, h, read_only);
        accessor to(A, h);
        h.parallel_for(range<1>(n), [=](id<1> i) { to[i] = (to[i] + from[i]) % 1000; });
      });
      z = x + y * k;
      x = (x + z) % 1000;
    }
  }
  for (int i = 0; i < n; i++)
    CHECK(a[i] == x && c[i] == z && b[i] == y);
  return report();
}
