// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges whose numbers of items are awkward: primes, one more than a group, long and thin in each dimension.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  const range<3> shapes[] = {{1, 1, 100003}, {1, 70001, 1}, {3001, 1, 3}, {2, 257, 255},
                             {1, 1, 256},    {1, 1, 257},   {5, 1, 1}};
  for (const range<3> &shape : shapes) {
    const size_t n = shape.size();
    unsigned char *seen = malloc_shared<unsigned char>(n + 1, q);
    q.memset(seen, 0, n + 1).wait();
    q.parallel_for(shape, [=](item<3> i) { seen[i.get_linear_id()]++; }).wait();
    size_t right = 0;
    for (size_t i = 0; i < n; i++)
      right += seen[i] == 1;
    CHECK(right == n && seen[n] == 0);
    free(seen, q);
  }
  return report();
}
