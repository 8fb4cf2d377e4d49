// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic, comparison and conversion of range and id in each number of dimensions.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  const id<3> a(5, 6, 7), b(1, 2, 3);
  const range<3> r(10, 20, 30);
  CHECK(a + b == id<3>(6, 8, 10) && a - b == id<3>(4, 4, 4) && a * b == id<3>(5, 12, 21) && a / b == id<3>(5, 3, 2) &&
        a % b == id<3>(0, 0, 1));
  CHECK(a + 1 == id<3>(6, 7, 8) && 10 - b == id<3>(9, 8, 7) && (a & id<3>(4, 4, 4)) == id<3>(4, 4, 4) &&
        (b << 2) == id<3>(4, 8, 12));
  CHECK((a > b) == id<3>(1, 1, 1) && (a < 6) == id<3>(1, 0, 0));
  id<3> c = a;
  c += b, c *= 2, c -= 1;
  CHECK(c == id<3>(11, 15, 19) && c != a);
  CHECK((++c)[0] == 12 && (c++)[0] == 12 && c[0] == 13);
  CHECK(-(-a) == a && +a == a);
  CHECK(r.size() == 6000 && r.get(2) == 30 && r[1] == 20);
  CHECK(range<2>(3, 4) * range<2>(2, 2) == range<2>(6, 8) && range<1>(7).size() == 7);
  range<2> grown(1, 2);
  grown[1] = 9;
  CHECK(grown.size() == 9);
  const id<1> one = 4;
  const size_t plain = one;
  CHECK(plain == 4 && id<3>(r)[2] == 30);
  static_assert(range<3>::dimensions == 3 && id<2>::dimensions == 2);
  static_assert(std::is_same_v<decltype(range(1, 2)), range<2>> && std::is_same_v<decltype(id(1)), id<1>>);
  return report();
}
