// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host tasks between kernels, which see what kernels before them wrote and are seen by those after.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  std::vector<int> data(100, 1);
  int calls = 0;
  {
    buffer all(data);
    for (int k = 0; k < 3; k++) {
      q.submit([&](handler &h) {
        accessor a(all, h);
        h.parallel_for(range<1>(100), [=](id<1> i) { a[i] *= 2; });
      });
      q.submit([&](handler &h) {
        accessor a(all, h, read_write_host_task);
        h.host_task([=, &calls] {
          for (int &x : a)
            x += 1;
          calls++;
        });
      });
    }
    event last = q.submit([&](handler &h) { h.host_task([&](interop_handle) { calls += 10; }); });
    last.wait();
  }
  CHECK(calls == 13);
  for (int x : data)
    CHECK(x == ((1 * 2 + 1) * 2 + 1) * 2 + 1);
  return report();
}
