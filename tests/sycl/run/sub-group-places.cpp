// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where items stand in sub-groups: lanes, number of sub-groups, a last one that is not full, barriers.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  const int items = 80;
  int *out = malloc_shared<int>(5 * items, q);
  q.parallel_for(nd_range<1>(items, items), [=](nd_item<1> item) {
     const sub_group s = item.get_sub_group();
     const int i = item.get_local_id(0);
     out[i] = s.get_local_linear_id();
     out[items + i] = s.get_group_linear_id();
     out[2 * items + i] = s.get_group_linear_range();
     out[3 * items + i] = s.get_local_linear_range();
     out[4 * items + i] = s.get_max_local_range()[0] + 100 * s.leader();
     group_barrier(s);
   }).wait();
  for (int i = 0; i < items; i++) {
    CHECK(out[i] == i % 32 && out[items + i] == i / 32 && out[2 * items + i] == 3);
    CHECK(out[3 * items + i] == (i < 64 ? 32 : 16));
    CHECK(out[4 * items + i] == 32 + 100 * (i % 32 == 0));
  }
  free(out, q);
  return report();
}
