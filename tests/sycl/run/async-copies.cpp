// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies between global and local memory, with strides on either side, and waiting for several.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  const int items = 32;
  std::vector<int> data(4 * items), out(4 * items, -1);
  for (int i = 0; i < 4 * items; i++)
    data[i] = i;
  {
    buffer from(data), to(out);
    q.submit([&](handler &h) {
      accessor a(from, h, read_only);
      accessor b(to, h);
      local_accessor<int> s(items, h), t(items, h);
      h.parallel_for(nd_range<1>(items, items), [=](nd_item<1> item) {
        const auto all = a.get_multi_ptr<access::decorated::yes>();
        const auto one = item.async_work_group_copy(s.get_multi_ptr<access::decorated::yes>(), all, items);
        const auto two = item.async_work_group_copy(t.get_multi_ptr<access::decorated::yes>(), all, items, 3);
        item.wait_for(one, two);
        const int i = item.get_local_id(0), sum = s[i] + t[i];
        group_barrier(item.get_group());
        s[i] = sum;
        group_barrier(item.get_group());
        item.async_work_group_copy(b.get_multi_ptr<access::decorated::yes>(), s.get_multi_ptr<access::decorated::yes>(),
                                   items, 2)
            .wait();
      });
    });
  }
  for (int i = 0; i < items; i++)
    CHECK(out[2 * i] == i + 3 * i && out[2 * i + 1] == -1);
  return report();
}
