// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of a buffer as buffers of their own: written side by side, reinterpreted, refused where they are not in one piece.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  std::vector<int> data(60, -1);
  {
    buffer<int, 2> all(data.data(), range<2>(6, 10));
    buffer<int, 2> low(all, id<2>(0, 0), range<2>(3, 10)), high(all, id<2>(3, 0), range<2>(3, 10));
    CHECK(low.is_sub_buffer() && !all.is_sub_buffer());
    int k = 1;
    for (auto *part : {&low, &high}) {
      q.submit([&](handler &h) {
        accessor a(*part, h, write_only);
        h.parallel_for(part->get_range(), [=](id<2> i) { a[i] = k * 100 + i[0] * 10 + i[1]; });
      });
      k++;
    }
    bool refused = false;
    try {
      buffer<int, 2> columns(all, id<2>(0, 2), range<2>(6, 3));
    } catch (const exception &e) {
      refused = e.code() == errc::invalid;
    }
    CHECK(refused);
    auto flat = all.reinterpret<int, 1>(range<1>(60));
    CHECK(host_accessor(flat)[35] == 205);
  }
  for (int i = 0; i < 60; i++)
    CHECK(data[i] == (i < 30 ? 100 + i : 200 + i - 30));
  return report();
}
