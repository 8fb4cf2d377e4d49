// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All shortest paths by Floyd and Warshall: one launch for each node in between.
#include <sycl/sycl.hpp>

#include <algorithm>

#include "check.hpp"

using namespace sycl;

int main() {
  const int n = 40;
  queue q(property::queue::in_order{});
  int *d = malloc_shared<int>(n * n, q);
  std::vector<int> wanted(n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      d[i * n + j] = wanted[i * n + j] = i == j ? 0 : (i * 13 + j * 7) % 11 < 3 ? (i * j) % 17 + 1 : 100000;
  for (int k = 0; k < n; k++) {
    q.parallel_for(range<2>(n, n), [=](id<2> at) {
      const int through = d[at[0] * n + k] + d[k * n + at[1]];
      if (through < d[at[0] * n + at[1]])
        d[at[0] * n + at[1]] = through;
    });
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        wanted[i * n + j] = std::min(wanted[i * n + j], wanted[i * n + k] + wanted[k * n + j]);
  }
  q.wait();
  CHECK_SAME(d, wanted, wanted.size());
  free(d, q);
  return report();
}
