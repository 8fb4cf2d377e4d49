// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hierarchical kernels: variables of the group, of items in private memory, loops over other ranges than the group.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  std::vector<int> out(4 * 24, -1), sums(4);
  {
    buffer<int, 2> all(out.data(), range<2>(4, 24));
    buffer total(sums);
    q.submit([&](handler &h) {
      accessor a(all, h, write_only);
      accessor s(total, h, write_only);
      h.parallel_for_work_group(range<1>(4), range<1>(8), [=](group<1> g) {
        int shared[24];
        private_memory<int> own(g);
        bool good = true; // the group's items are the same in a longer loop
        g.parallel_for_work_item(range<1>(24), [&](h_item<1> i) {
          const size_t physical = i.get_logical_local_id(0) % 8;
          good &= i.get_global_id(0) == g[0] * 8 + physical && i.get_global_range(0) == 32 &&
                  i.get_physical_local_id(0) == physical;
        });
        g.parallel_for_work_item(range<1>(24), [&](h_item<1> i) {
          shared[i.get_logical_local_id(0)] = int(g[0] * 100 + i.get_logical_local_id(0));
        });
        g.parallel_for_work_item([&](h_item<1> i) { own(i) = shared[23 - i.get_local_id(0)]; });
        int sum = 0;
        for (int k = 0; k < 24; k++)
          sum += shared[k];
        s[g.get_group_id()] = good ? sum : -1;
        g.parallel_for_work_item([&](h_item<1> i) {
          for (size_t k = i.get_local_id(0); k < 24; k += 8)
            a[g[0]][k] = own(i) + int(k);
        });
      });
    });
  }
  for (int g = 0; g < 4; g++) {
    CHECK(sums[g] == 24 * 100 * g + 276);
    for (int k = 0; k < 24; k++)
      CHECK(out[g * 24 + k] == 100 * g + 23 - k % 8 + k);
  }
  // kernels that also take a kernel_handler
  {
    buffer<int> b(out.data(), range<1>(8));
    q.submit([&](handler &h) {
      accessor all(b, h);
      h.parallel_for_work_group(range<1>(2), range<1>(4), [=](group<1> g, kernel_handler) {
        g.parallel_for_work_item([&](h_item<1> it) { all[it.get_global_id()] = 7; });
      });
    });
    q.submit([&](handler &h) {
      accessor all(b, h);
      h.parallel_for(range<1>(2), id<1>(3),
                     [=](item<1> it, kernel_handler) { all[it.get_id()] = int(it.get_offset()[0]); });
    });
    q.submit([&](handler &h) {
      accessor all(b, h);
      h.parallel_for(range<1>(2), id<1>(6), [=](id<1> i, kernel_handler) { all[i] += int(i[0]); });
    });
  }
  const int with_handler[] = {7, 7, 7, 3, 3, 7, 13, 14};
  CHECK_SAME(out, with_handler, 8);
  return report();
}
