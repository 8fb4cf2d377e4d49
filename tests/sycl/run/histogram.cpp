// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A histogram: each group counts in local memory by atomic additions, then adds its counts to those of all.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  const int n = 10000, bins = 64, items = 128;
  queue q;
  int *data = malloc_shared<int>(n, q);
  unsigned *counts = malloc_shared<unsigned>(bins, q);
  std::vector<unsigned> wanted(bins);
  for (int i = 0; i < n; i++)
    wanted[data[i] = i * 7919 % 997 % bins]++;
  q.fill(counts, 0u, bins).wait();
  q.submit([&](handler &h) {
     local_accessor<unsigned> own(range<1>(bins), h);
     h.parallel_for(nd_range<1>(10 * items, items), [=](nd_item<1> item) {
       const int me = item.get_local_id(0);
       if (me < bins)
         own[me] = 0;
       group_barrier(item.get_group());
       for (int i = item.get_global_id(0); i < n; i += item.get_global_range(0))
         atomic_ref<unsigned, memory_order::relaxed, memory_scope::work_group>(own[data[i]])++;
       group_barrier(item.get_group());
       if (me < bins)
         atomic_ref<unsigned, memory_order::relaxed, memory_scope::device>(counts[me]) += own[me];
     });
   }).wait();
  CHECK_SAME(counts, wanted, bins);
  free(data, q);
  free(counts, q);
  return report();
}
