// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and scans of groups whose size is no power of two and no multiple of a sub-group.
#include <sycl/sycl.hpp>

#include <algorithm>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  for (int items : {1, 7, 33, 100, 250}) {
    int *out = malloc_shared<int>(4 * items, q);
    q.parallel_for(nd_range<1>(items, items), [=](nd_item<1> item) {
       const int i = item.get_local_id(0), x = (i * 37) % 11 - 5;
       const auto g = item.get_group();
       out[i] = reduce_over_group(g, x, plus<>());
       out[items + i] = reduce_over_group(g, x, maximum<>());
       out[2 * items + i] = inclusive_scan_over_group(g, x, plus<>());
       out[3 * items + i] = exclusive_scan_over_group(g, x, 100, plus<>());
     }).wait();
    int sum = 0, most = -100;
    for (int i = 0; i < items; i++) {
      const int x = (i * 37) % 11 - 5;
      CHECK(out[3 * items + i] == 100 + sum);
      sum += x;
      most = std::max(most, x);
      CHECK(out[2 * items + i] == sum);
    }
    for (int i = 0; i < items; i++)
      CHECK(out[i] == sum && out[items + i] == most);
    free(out, q);
  }
  return report();
}
