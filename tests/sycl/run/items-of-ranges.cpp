// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What items know of themselves in ranges of each number of dimensions, with and without offset.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  int *bad = malloc_shared<int>(1, q), *seen = malloc_shared<int>(2 * 3 * 40, q);
  *bad = 0;
  q.fill(seen, 0, 240).wait();
  q.parallel_for(range<1>(40), [=](item<1> i) {
     seen[i] += i.get_id(0) == i.get_linear_id() && i.get_range(0) == 40 && i[0] == i.get_id()[0];
   }).wait();
  q.parallel_for(range<2>(3, 40), [=](item<2> i) {
     seen[i.get_linear_id()] += i.get_linear_id() == i[0] * 40 + i[1] && i.get_range() == range<2>(3, 40);
   }).wait();
  q.parallel_for(range<3>(2, 3, 40), [=](item<3> i) {
     seen[i.get_linear_id()] += i.get_linear_id() == (i[0] * 3 + i[1]) * 40 + i.get_id(2) && i.get_range(1) == 3;
   }).wait();
  for (int i = 0; i < 240; i++)
    CHECK(seen[i] == 1 + (i < 120) + (i < 40));
  q.submit([&](handler &h) {
     h.parallel_for(range<2>(3, 40), id<2>(5, 100), [=](item<2> i) {
       seen[i.get_linear_id()] =
           7 * (i.get_offset() == id<2>(5, 100) && i[0] >= 5 && i[0] < 8 && i[1] >= 100 && i[1] < 140);
     });
   }).wait();
  for (int i = 0; i < 120; i++)
    CHECK(seen[i] == 7);
  free(bad, q), free(seen, q);
  return report();
}
