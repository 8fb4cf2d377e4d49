// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that host and kernels share: scalars, arrays, structures; copied in and out by the queue, kept from kernel to kernel.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

struct setting {
  int a;
  float b;
};
static ext::oneapi::experimental::device_global<int> counter;
static ext::oneapi::experimental::device_global<int[10]> table;
static ext::oneapi::experimental::device_global<setting> settings;
int main() {
  queue q;
  int numbers[10], back[10], count = -1;
  for (int i = 0; i < 10; i++)
    numbers[i] = 5 * i;
  const setting s{3, 0.5f};
  q.memcpy(table, numbers).wait();
  q.memcpy(settings, &s).wait();
  for (int k = 0; k < 3; k++)
    q.parallel_for(range<1>(10), [=](id<1> i) {
       table[i] += settings.get().a;
       atomic_ref<int, memory_order::relaxed, memory_scope::device>(counter.get()) += int(settings.get().b * 2);
     }).wait();
  q.memcpy(back, table).wait();
  q.memcpy(&count, counter).wait();
  CHECK(count == 30);
  for (int i = 0; i < 10; i++)
    CHECK(back[i] == 5 * i + 9);
  return report();
}
