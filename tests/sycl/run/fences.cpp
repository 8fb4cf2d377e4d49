// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fences between items of one group that hand a value on through local memory, and the memory orders there are.
#include <sycl/sycl.hpp>

#include <algorithm>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  const auto orders = q.get_device().get_info<info::device::atomic_fence_order_capabilities>();
  for (memory_order one : {memory_order::relaxed, memory_order::acquire, memory_order::release, memory_order::acq_rel,
                           memory_order::seq_cst})
    CHECK(std::find(orders.begin(), orders.end(), one) != orders.end());
  const int items = 64;
  int *out = malloc_shared<int>(items, q);
  q.submit([&](handler &h) {
     local_accessor<int> s(items, h);
     h.parallel_for(nd_range<1>(items, items), [=](nd_item<1> item) {
       const int i = item.get_local_id(0);
       s[i] = i * i;
       atomic_fence(memory_order::release, memory_scope::work_group);
       group_barrier(item.get_group(), memory_scope::work_group);
       atomic_fence(memory_order::acquire, memory_scope::work_group);
       out[i] = s[items - 1 - i];
     });
   }).wait();
  for (int i = 0; i < items; i++)
    CHECK(out[i] == (items - 1 - i) * (items - 1 - i));
  free(out, q);
  return report();
}
