// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Votes, broadcasts and shifts of groups of two dimensions.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  const range<2> local(6, 16);
  int *out = malloc_shared<int>(4 * 96, q);
  q.parallel_for(nd_range<2>(local, local), [=](nd_item<2> item) {
     const int i = item.get_local_linear_id();
     const auto g = item.get_group();
     out[i] = any_of_group(g, i == 95) + 2 * all_of_group(g, i < 95) + 4 * none_of_group(g, i > 95);
     out[96 + i] = group_broadcast(g, i * 3);
     out[192 + i] = group_broadcast(g, i * 3, id<2>(5, 1));
     out[288 + i] = group_broadcast(g, i, size_t(17));
   }).wait();
  for (int i = 0; i < 96; i++)
    CHECK(out[i] == 5 && out[96 + i] == 0 && out[192 + i] == 3 * 81 && out[288 + i] == 17);
  free(out, q);
  return report();
}
