// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers by a generator of integers in each item, 64 bits wide, that wrap around.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  const int n = 1000;
  queue q;
  auto *out = malloc_shared<std::uint64_t>(n, q);
  q.parallel_for(range<1>(n), [=](id<1> i) {
     std::uint64_t x = i[0] + 1;
     for (int k = 0; k < 50; k++) {
       x = x * 6364136223846793005u + 1442695040888963407u;
       x ^= x >> 29;
     }
     out[i] = x;
   }).wait();
  std::vector<std::uint64_t> wanted(n);
  for (int i = 0; i < n; i++) {
    std::uint64_t x = i + 1;
    for (int k = 0; k < 50; k++)
      x = (x * 6364136223846793005u + 1442695040888963407u), x ^= x >> 29;
    wanted[i] = x;
  }
  CHECK_SAME(out, wanted, n);
  free(out, q);
  return report();
}
