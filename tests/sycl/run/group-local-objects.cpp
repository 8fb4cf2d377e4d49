// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local memory without an accessor: arrays and structures, with values to begin with, several in one kernel.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

struct state {
  int sum, count;
  state(int sum, int count) : sum(sum), count(count) {}
};
int main() {
  queue q;
  int *out = malloc_shared<int>(128, q);
  q.parallel_for(nd_range<1>(128, 32), [=](nd_item<1> item) {
     const int i = item.get_local_id(0);
     auto memory = ext::oneapi::group_local_memory_for_overwrite<int[32]>(item.get_group());
     auto one = ext::oneapi::group_local_memory<state>(item.get_group(), 1000, int(item.get_group(0)));
     int (&all)[32] = *memory;
     all[i] = i * i;
     group_barrier(item.get_group());
     if (i == 5)
       one->sum += all[31];
     group_barrier(item.get_group());
     out[item.get_global_id(0)] = all[31 - i] + one->sum + one->count;
   }).wait();
  for (int k = 0; k < 128; k++)
    CHECK(out[k] == (31 - k % 32) * (31 - k % 32) + 1000 + 961 + k / 32);
  free(out, q);
  return report();
}
