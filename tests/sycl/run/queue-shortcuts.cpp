// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The queue's own forms of commands, with no event, one, and a list; on memory and on accessors.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  int *x = malloc_device<int>(50, q), *y = malloc_shared<int>(50, q);
  event one = q.memset(x, 0, 50 * sizeof(int));
  event two = q.fill(y, 5, 50, one);
  event three = q.parallel_for(range<1>(50), {one, two}, [=](id<1> i) { x[i] += y[i] + i[0]; });
  event four = q.single_task(three, [=] { x[0] = 100; });
  q.parallel_for(nd_range<1>(50, 10), four, [=](nd_item<1> i) { x[i.get_global_id(0)] *= 2; });
  std::vector<int> out(50);
  q.copy(x, out.data(), 50).wait();
  for (int i = 0; i < 50; i++)
    CHECK(out[i] == 2 * (i ? 5 + i : 100));
  q.memcpy(y, out.data(), 200, q.prefetch(y, 200)).wait_and_throw();
  CHECK(y[49] == 108);
  buffer<int> b(range<1>(50));
  q.copy(out.data(), accessor<int, 1, access_mode::write, target::device, access::placeholder::true_t>(b));
  q.fill(accessor<int, 1, access_mode::write, target::device, access::placeholder::true_t>(b, range<1>(10)), 1);
  host_accessor see(b);
  CHECK(see[9] == 1 && see[10] == 30);
  free(x, q), free(y, q);
  return report();
}
