// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accessors without dimensions: a buffer of one element as a variable, on both sides, and one of none.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  buffer<int, 1> one(range<1>(1));
  host_accessor<int, 0> set(one);
  set = 5;
  q.submit([&](handler &h) {
    accessor<int, 0, access_mode::read_write> x(one, h);
    h.single_task([=] { x = x * 4 + 1; });
  });
  host_accessor<int, 0, access_mode::read> get(one);
  CHECK(get == 21);
  CHECK(get.size() == 1);
  buffer<int, 1> none(range<1>(0)); // no element, so nothing to be
  host_accessor<int, 0, access_mode::read> empty(none);
  CHECK(empty.empty() && empty.size() == 0 && empty.byte_size() == 0);
  q.submit([&](handler &h) {
    accessor<int, 0, access_mode::read> nothing(none, h);
    accessor<int, 0> x(one, h);
    h.single_task([=] { x = int(nothing.size()); });
  });
  host_accessor<int, 0, access_mode::read> size(one);
  CHECK(size == 0);
  return report();
}
