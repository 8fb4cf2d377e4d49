// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several local accessors of one kernel, of several types, alignments and dimensions; one element; none that overlap.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

struct wide {
  double a, b, c;
};
int main() {
  queue q;
  const int items = 30;
  int *good = malloc_shared<int>(items, q);
  q.submit([&](handler &h) {
     local_accessor<char> bytes(items + 1, h);
     local_accessor<wide, 2> many(range<2>(5, 6), h);
     local_accessor<int, 0> one(h);
     local_accessor<double4> vectors(items, h);
     local_accessor<short, 3> block(range<3>(2, 3, 5), h);
     CHECK(many.get_range() == range<2>(5, 6) && many.size() == 30 && many.byte_size() == 30 * sizeof(wide));
     h.parallel_for(nd_range<1>(items, items), [=](nd_item<1> item) {
       const int i = item.get_local_id(0);
       bytes[i] = char(i);
       many[i / 6][i % 6] = {1.0 * i, 2.0 * i, 3.0 * i};
       vectors[i] = double4(i);
       block[id<3>(i / 15, i / 5 % 3, i % 5)] = short(-i);
       if (i == 7)
         one = 77;
       group_barrier(item.get_group());
       const int k = items - 1 - i;
       good[i] = bytes[k] == k && many[k / 6][k % 6].c == 3.0 * k && vectors[k].w() == k &&
                 block[k / 15][k / 5 % 3][k % 5] == -k && one == 77 &&
                 reinterpret_cast<size_t>(&vectors[0]) % alignof(double4) == 0;
     });
   }).wait();
  for (int i = 0; i < items; i++)
    CHECK(good[i] == 1);
  free(good, q);
  return report();
}
