// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SYCL 1.2.1's atomic: made of pointers of accessors in global and local memory, by accessors for atomics, and its free functions.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  std::vector<int> counts(4), ends{1 << 30, -1}, swaps{5, 0, 0};
  {
    buffer c(counts), e(ends), s(swaps);
    q.submit([&](handler &h) {
      auto bins = c.get_access<access_mode::atomic>(h);
      auto low_high = e.get_access<access_mode::read_write>(h);
      accessor<int, 1, access_mode::atomic, target::local> own(range<1>(4), h);
      h.parallel_for(nd_range<1>(256, 64), [=](nd_item<1> item) {
        const int i = item.get_global_id(0), me = item.get_local_id(0);
        if (me < 4)
          own[me].store(0);
        group_barrier(item.get_group());
        own[i % 4].fetch_add(i);
        group_barrier(item.get_group());
        if (me < 4)
          bins[me].fetch_add(own[me].load());
        atomic<int> low(low_high.get_pointer()), high(low_high.get_pointer() + 1);
        low.fetch_min((i * 37 + 11) % 251);
        atomic_fetch_max(high, (i * 37 + 11) % 251);
      });
    });
    q.submit([&](handler &h) {
      auto x = s.get_access<access_mode::read_write>(h);
      h.single_task([=] {
        atomic<int> a(x.get_pointer());
        int expected = 4;
        x[1] = a.compare_exchange_strong(expected, 8) * 100 + expected * 10 +
               atomic_compare_exchange_strong(a, expected, 9);
        x[2] = a.exchange(6) * 100 + atomic_fetch_xor(a, 3) * 10 + atomic_load(a);
      });
    });
  }
  for (int k = 0; k < 4; k++) {
    int sum = 0;
    for (int i = k; i < 256; i += 4)
      sum += i;
    CHECK(counts[k] == sum);
  }
  CHECK(ends[0] == 0 && ends[1] == 250);
  CHECK(swaps[0] == 5 && swaps[1] == 51 && swaps[2] == 965);
  return report();
}
