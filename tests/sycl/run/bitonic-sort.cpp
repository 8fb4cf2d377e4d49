// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bitonic sort of a group in local memory, with a barrier in two nested loops.
#include <sycl/sycl.hpp>

#include <algorithm>

#include "check.hpp"

using namespace sycl;

int main() {
  const int n = 256;
  queue q;
  std::vector<int> data(n), wanted;
  for (int i = 0; i < n; i++)
    data[i] = i * 7919 % 1009;
  wanted = data;
  std::sort(wanted.begin(), wanted.end());
  {
    buffer all(data);
    q.submit([&](handler &h) {
      accessor a(all, h);
      local_accessor<int> s(n, h);
      h.parallel_for(nd_range<1>(n, n), [=](nd_item<1> item) {
        const int me = item.get_local_id(0);
        s[me] = a[me];
        for (int size = 2; size <= n; size *= 2)
          for (int step = size / 2; step > 0; step /= 2) {
            group_barrier(item.get_group());
            const int other = me ^ step;
            if (other > me && (s[me] > s[other]) == !(me & size)) {
              const int keep = s[me];
              s[me] = s[other];
              s[other] = keep;
            }
          }
        group_barrier(item.get_group());
        a[me] = s[me];
      });
    });
  }
  CHECK_SAME(data, wanted, n);
  return report();
}
