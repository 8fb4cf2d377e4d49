// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What passes a test, moved together in order: by scans of groups and a scan of their counts, and without order by a counter.
#include <sycl/sycl.hpp>

#include <algorithm>

#include "check.hpp"

using namespace sycl;

int main() {
  const int n = 2048, items = 128, groups = n / items;
  queue q(property::queue::in_order{});
  int *x = malloc_shared<int>(n, q), *out = malloc_shared<int>(n, q), *loose = malloc_shared<int>(n, q),
      *counts = malloc_shared<int>(groups + 2, q);
  std::vector<int> wanted;
  for (int i = 0; i < n; i++) {
    x[i] = (i * 7919) % 1013;
    if (x[i] % 3 == 0)
      wanted.push_back(x[i]);
  }
  counts[groups + 1] = 0;
  q.parallel_for(nd_range<1>(n, items), [=](nd_item<1> item) {
    const int count = reduce_over_group(item.get_group(), int(x[item.get_global_id(0)] % 3 == 0), plus<>());
    if (item.get_local_id(0) == 0)
      counts[item.get_group(0)] = count;
  });
  q.single_task([=] {
    for (int g = 0, sum = 0; g <= groups; g++) {
      const int count = g < groups ? counts[g] : 0;
      counts[g] = sum;
      sum += count;
    }
  });
  q.parallel_for(nd_range<1>(n, items), [=](nd_item<1> item) {
    const int value = x[item.get_global_id(0)], keep = value % 3 == 0;
    const int place = exclusive_scan_over_group(item.get_group(), keep, plus<>());
    if (keep) {
      out[counts[item.get_group(0)] + place] = value;
      loose[atomic_ref<int, memory_order::relaxed, memory_scope::device>(counts[groups + 1])++] = value;
    }
  });
  q.wait();
  CHECK(counts[groups] == int(wanted.size()) && counts[groups + 1] == int(wanted.size()));
  CHECK_SAME(out, wanted, wanted.size());
  std::sort(loose, loose + wanted.size());
  std::sort(wanted.begin(), wanted.end());
  CHECK_SAME(loose, wanted, wanted.size());
  free(x, q), free(out, q), free(loose, q), free(counts, q);
  return report();
}
