// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a buffer writes in the end: to its memory, to an address set later, to an iterator, to a weak pointer, or nowhere.
#include <sycl/sycl.hpp>

#include <iterator>
#include <memory>

#include "check.hpp"

using namespace sycl;

static void fill(queue &q, buffer<int> &b, int value) {
  q.submit([&](handler &h) {
    accessor a(b, h, write_only);
    h.parallel_for(b.get_range(), [=](id<1> i) { a[i] = value + i[0]; });
  });
}
int main() {
  queue q;
  std::vector<int> own(8, -1), goal(8, -1), back, constant(8, 3);
  auto shared = std::shared_ptr<int>(new int[8](), std::default_delete<int[]>());
  {
    buffer<int> a(own.data(), range<1>(8)), b(own.data(), range<1>(8)), c(constant.begin(), constant.end()),
        d(range<1>(8)), e(range<1>(8));
    fill(q, a, 10);
    a.set_final_data(goal.data());
    b.set_write_back(false);
    fill(q, b, 20);
    c.set_final_data(std::back_inserter(back));
    fill(q, c, 30);
    d.set_final_data(std::weak_ptr<int>(shared));
    fill(q, d, 40);
    fill(q, e, 50);
    e.set_final_data(nullptr);
  }
  for (int i = 0; i < 8; i++) {
    CHECK(goal[i] == 10 + i);
    CHECK(back[i] == 30 + i);
    CHECK(shared.get()[i] == 40 + i);
    CHECK(constant[i] == 3);
  }
  CHECK(back.size() == 8);
  std::shared_ptr<int[]> several(new int[8]());
  {
    buffer<int> b(own.data(), range<1>(8));
    b.set_final_data(several);
    q.submit([&](handler &h) {
      accessor all(b, h, write_only);
      h.parallel_for(range<1>(8), [=](id<1> i) { all[i] = 50 + int(i[0]); });
    });
  }
  for (int i = 0; i < 8; i++)
    CHECK(several[i] == 50 + i);
  {
    buffer<int> nowhere{range<1>(8)};
    nowhere.set_final_data(static_cast<int *>(nullptr)); // as with nullptr
    nowhere.set_write_back(true);
    q.submit([&](handler &h) {
      accessor all(nowhere, h, write_only);
      h.parallel_for(range<1>(8), [=](id<1> i) { all[i] = 1; });
    });
  }
  return report();
}
