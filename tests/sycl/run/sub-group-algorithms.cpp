// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions, scans and votes of sub-groups, also of those that are not full.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <limits>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  const int items = 72;
  int *out = malloc_shared<int>(4 * items, q);
  q.parallel_for(nd_range<1>(items, items), [=](nd_item<1> item) {
     const sub_group s = item.get_sub_group();
     const int i = item.get_local_id(0);
     out[i] = reduce_over_group(s, i, plus<>());
     out[items + i] = inclusive_scan_over_group(s, i % 5, plus<>());
     out[2 * items + i] = exclusive_scan_over_group(s, i * 7 % 50, maximum<>());
     out[3 * items + i] = any_of_group(s, i == 40) + 2 * all_of_group(s, i < 64);
   }).wait();
  for (int first = 0; first < items; first += 32) {
    const int last = std::min(first + 32, items);
    int sum = 0, scan = 0, most = std::numeric_limits<int>::lowest();
    for (int i = first; i < last; i++)
      sum += i;
    for (int i = first; i < last; i++) {
      CHECK(out[i] == sum);
      CHECK(out[items + i] == (scan += i % 5));
      CHECK(out[2 * items + i] == most);
      most = std::max(most, i * 7 % 50);
      CHECK(out[3 * items + i] == (first == 32) + 2 * (first < 64));
    }
  }
  free(out, q);
  return report();
}
