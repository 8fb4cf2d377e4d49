// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in groups of two and three dimensions, of sizes that are no powers of two.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  int *out = malloc_shared<int>(2 * 3 * 5 * 7, q);
  for (int iteration = 0; iteration < 2; iteration++) {
    q.submit([&](handler &h) {
       local_accessor<int, 3> s(range<3>(3, 5, 7), h);
       h.parallel_for(nd_range<3>({6, 5, 7}, {3, 5, 7}), [=](nd_item<3> item) {
         const id<3> me = item.get_local_id();
         s[me] = int(item.get_global_linear_id()) + iteration;
         group_barrier(item.get_group());
         const int other = s[2 - me[0]][4 - me[1]][6 - me[2]];
         group_barrier(item.get_group());
         s[me] = other * 2;
         group_barrier(item.get_group());
         out[item.get_global_linear_id()] = s[me[0]][me[1]][(me[2] + 1) % 7];
       });
     }).wait();
    for (int g = 0; g < 2; g++)
      for (int i = 0; i < 105; i++) {
        const int x = i % 7, neighbour = i - x + (x + 1) % 7;
        CHECK(out[g * 105 + i] == 2 * (g * 105 + 104 - neighbour + iteration));
      }
  }
  free(out, q);
  return report();
}
