// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of no items run nothing, in each form.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  int *x = malloc_shared<int>(1, q);
  *x = 1;
  q.parallel_for(range<1>(0), [=](id<1>) { *x = 2; });
  q.parallel_for(range<2>(5, 0), [=](id<2>) { *x = 3; });
  q.parallel_for(range<3>(0, 5, 5), [=](id<3>) { *x = 4; });
  q.parallel_for(nd_range<1>(0, 8), [=](nd_item<1>) { *x = 5; });
  q.memcpy(x, nullptr, 0);
  q.fill(x, 9, 0);
  q.wait();
  CHECK(*x == 1);
  q.submit([&](handler &) {}).wait(); // a group without a command
  free(x, q);
  return report();
}
