// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random access by iterators of accessors: algorithms of the C++ library on them, both directions, constant ones.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <numeric>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  buffer<int, 2> all(range<2>(4, 5));
  {
    host_accessor fill(all, write_only);
    std::iota(fill.begin(), fill.end(), 1);
  }
  host_accessor a(all);
  CHECK(std::accumulate(a.cbegin(), a.cend(), 0) == 210);
  CHECK(*a.rbegin() == 20 && *a.crbegin() == 20 && *(a.rend() - 1) == 1);
  std::reverse(a.begin(), a.end());
  CHECK(a[id<2>(0, 0)] == 20 && a[id<2>(3, 4)] == 1);
  CHECK(std::find(a.begin(), a.end(), 7) - a.begin() == 13);
  CHECK(a.begin() + 3 > a.begin() && a.begin()[3] == 17);
  return report();
}
