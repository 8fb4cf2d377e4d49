// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two accessors of one buffer in one kernel, and overlapping parts: what one writes the other reads.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  const int n = 100;
  std::vector<int> data(n);
  for (int i = 0; i < n; i++)
    data[i] = i;
  {
    buffer<int> all(data), tail(all, id<1>(10), range<1>(90));
    q.submit([&](handler &h) {
      accessor from(all, h, read_only);
      accessor to(all, h, write_only);
      h.single_task([=] {
        for (int i = 1; i < 10; i++)
          to[i] = from[i - 1] + 1000;
      });
    });
    q.submit([&](handler &h) {
      accessor whole(all, h);
      accessor part(tail, h);
      h.single_task([=] {
        for (int i = 0; i < 5; i++) {
          part[i] = whole[i + 9] + 1;
          whole[i + 10] += part[i];
        }
      });
    });
  }
  std::vector<int> wanted(n);
  for (int i = 0; i < n; i++)
    wanted[i] = i;
  for (int i = 1; i < 10; i++)
    wanted[i] = wanted[i - 1] + 1000;
  for (int i = 0; i < 5; i++) {
    wanted[i + 10] = wanted[i + 9] + 1;
    wanted[i + 10] += wanted[i + 10];
  }
  CHECK_SAME(data, wanted, n);
  return report();
}
