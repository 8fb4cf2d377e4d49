// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What items of groups know: their position in group and launch, linear ones too, of groups and of all.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  const range<3> global(4, 6, 32), local(2, 3, 16);
  int *good = malloc_shared<int>(global.size(), q);
  q.fill(good, 0, global.size()).wait();
  q.parallel_for(nd_range<3>(global, local), [=](nd_item<3> i) {
     const auto g = i.get_group();
     bool all =
         i.get_global_range() == global && i.get_local_range() == local && i.get_group_range() == range<3>(2, 2, 2);
     for (int d = 0; d < 3; d++)
       all &= i.get_global_id(d) == i.get_group(d) * local[d] + i.get_local_id(d);
     all &= i.get_local_linear_id() == (i.get_local_id(0) * 3 + i.get_local_id(1)) * 16 + i.get_local_id(2);
     all &= i.get_group_linear_id() == (i.get_group(0) * 2 + i.get_group(1)) * 2 + i.get_group(2);
     all &=
         g.get_group_id() == id<3>(i.get_group(0), i.get_group(1), i.get_group(2)) && g.get_group_linear_range() == 8;
     all &= g.get_local_linear_range() == 96 && g.leader() == (i.get_local_linear_id() == 0);
     all &= i.get_nd_range() == nd_range<3>(global, local);
     good[i.get_global_linear_id()] += all;
   }).wait();
  for (size_t i = 0; i < global.size(); i++)
    CHECK(good[i] == 1);
  free(good, q);
  return report();
}
