// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills of command groups: memory to accessor and back, accessor to accessor, parts with gaps, update_host.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  std::vector<int> data(40), got(12, -1), whole(40);
  for (int i = 0; i < 40; i++)
    data[i] = i;
  buffer<int, 2> a(range<2>(5, 8)), b(range<2>(5, 8));
  q.submit([&](handler &h) { h.copy(data.data(), accessor<int, 2, access_mode::write>(a, h)); });
  q.submit([&](handler &h) { h.fill(accessor<int, 2, access_mode::write>(b, h), 7); });
  q.submit([&](handler &h) {
    accessor<int, 2, access_mode::read> from(a, h, range<2>(3, 4), id<2>(1, 2));
    accessor<int, 2, access_mode::write> to(b, h, range<2>(3, 4), id<2>(0, 0));
    h.copy(from, to);
  });
  q.submit(
      [&](handler &h) { h.copy(accessor<int, 2, access_mode::read>(b, h, range<2>(3, 4), id<2>(0, 0)), got.data()); });
  q.submit([&](handler &h) { h.update_host(accessor<int, 2, access_mode::read>(b, h)); });
  q.submit([&](handler &h) { h.copy(accessor<int, 2, access_mode::read>(b, h), whole.data()); }).wait();
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      CHECK(got[i * 4 + j] == (i + 1) * 8 + j + 2 && whole[i * 8 + j] == (i + 1) * 8 + j + 2);
  CHECK(whole[4] == 7 && whole[39] == 7);
  // Where there is no room nothing is copied.
  buffer<int, 1> large(range<1>(16)), small(range<1>(15));
  auto halves = small.reinterpret<short, 1>(range<1>(30));
  for (int k = 0; k < 2; k++) {
    bool refused = false;
    try {
      q.submit([&](handler &h) {
        accessor<int, 1, access_mode::read> from(large, h);
        if (k)
          h.copy(from, accessor<short, 1, access_mode::write>(halves, h));
        else
          h.copy(from, accessor<int, 1, access_mode::write>(small, h));
      });
    } catch (const exception &e) {
      refused = e.code() == errc::invalid;
    }
    CHECK(refused);
  }
  return report();
}
