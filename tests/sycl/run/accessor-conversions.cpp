// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accessors that may do more become those that may do less; equality; swap; templates that take both.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

template <class A> static int first(const A &a) { return a[0]; }
int main() {
  queue q;
  buffer<int> x(range<1>(4)), y(range<1>(4));
  host_accessor a(x), b(y);
  a[0] = 1, b[0] = 2;
  host_accessor<int, 1, access_mode::read> reads = a;
  host_accessor<const int, 1, access_mode::read> constant = a;
  CHECK(first(reads) == 1 && first(constant) == 1);
  CHECK(a == a && a != b);
  a.swap(b);
  CHECK(first(a) == 2 && first(b) == 1);
  int got = 0;
  {
    buffer<int> out(&got, range<1>(1));
    q.submit([&](handler &h) {
      accessor<int, 1, access_mode::read_write> both(x, h);
      accessor<const int, 1, access_mode::read> less = both;
      accessor to(out, h, write_only);
      h.single_task([=] { to[0] = less[0] + 10; });
    });
  }
  CHECK(got == 11);
  return report();
}
