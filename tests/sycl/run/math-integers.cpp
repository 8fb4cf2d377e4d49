// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of integers at the ends of their types.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  long *out = malloc_shared<long>(32, q);
  q.single_task([=] {
     int n = 0;
     out[n++] = sycl::clz(1u), out[n++] = sycl::ctz(8u), out[n++] = sycl::popcount(0xf0f0u),
     out[n++] = sycl::clz(std::uint8_t(1));
     out[n++] = sycl::add_sat(2147483647, 5), out[n++] = sycl::sub_sat(-2147483647, 5),
     out[n++] = sycl::abs_diff(-2147483647 - 1, 2147483647);
     out[n++] = sycl::hadd(2147483647, 2147483645), out[n++] = sycl::rhadd(5, 8), out[n++] = sycl::mul_hi(1 << 30, 12),
     out[n++] = sycl::mad24(3, 4, 5);
     out[n++] = sycl::rotate(0x80000001u, 4u), out[n++] = sycl::upsample(std::uint16_t(0x1234), std::uint16_t(0x5678)),
     out[n++] = sycl::abs(-7);
     out[n++] = sycl::clamp(50, -3, 9), out[n++] = sycl::max(3, -8), out[n++] = sycl::min(3u, 0xffffffffu),
     out[n++] = sycl::mad_sat(1 << 30, 4, 1);
     const int4 v = sycl::abs_diff(int4(1, -2, 3, -4), int4(5)).convert<int>();
     out[n++] = v.x() * 1000 + v.y() * 100 + v.z() * 10 + v.w();
   }).wait();
  const long wanted[] = {31,         3, 8, 7, 2147483647, -2147483648l, 4294967295l, 2147483646, 7, 3, 17, 0x18,
                         0x12345678, 7, 9, 3, 3,          2147483647,   4729};
  const int count = sizeof wanted / sizeof *wanted;
  for (int i = 0; i < count; i++)
    CHECK(unsigned(out[i]) == unsigned(wanted[i]));
  free(out, q);
  return report();
}
