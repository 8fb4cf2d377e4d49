// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A radix sort: a count of digits, a scan and a stable move in each iteration, by one group.
#include <sycl/sycl.hpp>

#include <algorithm>

#include "check.hpp"

using namespace sycl;

int main() {
  const int n = 512, items = 64, digits = 16;
  queue q;
  unsigned *x = malloc_shared<unsigned>(n, q), *y = malloc_shared<unsigned>(n, q);
  std::vector<unsigned> wanted(n);
  for (int i = 0; i < n; i++)
    wanted[i] = x[i] = i * 2654435761u >> 12;
  std::sort(wanted.begin(), wanted.end());
  for (int shift = 0; shift < 20; shift += 4) {
    q.submit([&](handler &h) {
       local_accessor<int, 2> count(range<2>(digits, items), h);
       h.parallel_for(nd_range<1>(items, items), [=](nd_item<1> item) {
         const int me = item.get_local_id(0), each = n / items;
         for (int d = 0; d < digits; d++)
           count[d][me] = 0;
         for (int k = 0; k < each; k++)
           count[x[me * each + k] >> shift & 15][me]++;
         group_barrier(item.get_group());
         int before = 0;
         for (int d = 0; d < digits; d++) {
           const int mine = count[d][me];
           const int place = exclusive_scan_over_group(item.get_group(), mine, plus<>()),
                     all = reduce_over_group(item.get_group(), mine, plus<>());
           count[d][me] = before + place;
           before += all;
         }
         for (int k = 0; k < each; k++) {
           const unsigned value = x[me * each + k];
           y[count[value >> shift & 15][me]++] = value;
         }
       });
     }).wait();
    std::swap(x, y);
  }
  CHECK_SAME(x, wanted, n);
  free(x, q), free(y, q);
  return report();
}
