// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A prefix sum over many groups: scans in groups, a scan of their sums, and the sums added.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  const int n = 4096, items = 256, groups = n / items;
  queue q(property::queue::in_order{});
  int *in = malloc_shared<int>(n, q), *out = malloc_shared<int>(n, q), *sums = malloc_device<int>(groups, q);
  std::vector<int> wanted(n);
  for (int i = 0, sum = 0; i < n; i++)
    wanted[i] = sum += in[i] = i % 11 - 5;
  q.parallel_for(nd_range<1>(n, items), [=](nd_item<1> item) {
    const int i = item.get_global_id(0);
    out[i] = inclusive_scan_over_group(item.get_group(), in[i], plus<>());
    if (item.get_local_id(0) == items - 1)
      sums[item.get_group(0)] = out[i];
  });
  q.parallel_for(nd_range<1>(groups, groups), [=](nd_item<1> item) {
    const int i = item.get_global_id(0);
    sums[i] = exclusive_scan_over_group(item.get_group(), sums[i], plus<>());
  });
  q.parallel_for(range<1>(n), [=](id<1> i) { out[i] += sums[i / items]; }).wait();
  CHECK_SAME(out, wanted, n);
  free(in, q), free(out, q), free(sums, q);
  return report();
}
