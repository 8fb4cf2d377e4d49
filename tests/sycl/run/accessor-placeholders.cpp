// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accessors that are made without a command group and required in several.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  std::vector<int> data(100, 1);
  {
    buffer all(data);
    accessor<int, 1, access_mode::read_write, target::device, access::placeholder::true_t> later(all);
    CHECK(later.is_placeholder());
    for (int k = 0; k < 3; k++)
      q.submit([&](handler &h) {
        h.require(later);
        h.parallel_for(range<1>(100), [=](id<1> i) { later[i] = later[i] * 2 + k; });
      });
  }
  { // being one is the accessor's, not its type's
    buffer all(data);
    accessor<int, 1> early(all), copy = early, none;
    accessor<const int, 1, access_mode::read> reads = early;
    CHECK(early.is_placeholder() && copy.is_placeholder() && reads.is_placeholder() && !none.is_placeholder());
    CHECK(!early.has_property<property::no_init>());
    q.submit([&](handler &h) {
      accessor<int, 1> own(all, h);
      accessor<int, 1, access_mode::read_write, target::device, access::placeholder::true_t> other(all, h);
      CHECK(!own.is_placeholder() && !other.is_placeholder());
      h.single_task([=] { own[0] += 0; });
    });
  }
  for (int x : data)
    CHECK(x == ((1 * 2 + 0) * 2 + 1) * 2 + 2);
  return report();
}
