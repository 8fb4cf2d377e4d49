// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in loops within loops and in branches that are the same for a whole group.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  const int items = 50, groups = 4;
  int *out = malloc_shared<int>(items * groups, q);
  q.submit([&](handler &h) {
     local_accessor<int> s(items, h);
     h.parallel_for(nd_range<1>(items * groups, items), [=](nd_item<1> item) {
       const int i = item.get_local_id(0), g = item.get_group(0);
       s[i] = i;
       for (int a = 0; a <= g; a++) {
         for (int b = 0; b < 3; b++) {
           group_barrier(item.get_group());
           const int x = s[(i + 1) % items];
           group_barrier(item.get_group());
           s[i] = x + a;
         }
         if (g % 2) {
           group_barrier(item.get_group());
           const int y = s[items - 1 - i];
           group_barrier(item.get_group());
           s[i] = y;
         }
       }
       out[g * items + i] = s[i];
     });
   }).wait();
  for (int g = 0; g < groups; g++) {
    std::vector<int> s(items), t(items);
    for (int i = 0; i < items; i++)
      s[i] = i;
    for (int a = 0; a <= g; a++) {
      for (int b = 0; b < 3; b++) {
        for (int i = 0; i < items; i++)
          t[i] = s[(i + 1) % items] + a;
        s = t;
      }
      if (g % 2) {
        for (int i = 0; i < items; i++)
          t[i] = s[items - 1 - i];
        s = t;
      }
    }
    for (int i = 0; i < items; i++)
      CHECK(out[g * items + i] == s[i]);
  }
  free(out, q);
  return report();
}
