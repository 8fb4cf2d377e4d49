// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Swizzles as values and as locations: by name, by index, of swizzles, halves, even and odd elements.
#define SYCL_SIMPLE_SWIZZLES
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  int *out = malloc_shared<int>(64, q);
  q.single_task([=] {
     int n = 0;
     int4 v(1, 2, 3, 4);
     const int4 reversed = v.wzyx();
     out[n++] = reversed.x() * 1000 + reversed.y() * 100 + reversed.z() * 10 + reversed.w();
     v.xz() = int2(7, 8);
     out[n++] = v.x() * 1000 + v.y() * 100 + v.z() * 10 + v.w();
     v.swizzle<elem::s3, elem::s0>() = v.swizzle<0, 3>().yx();
     out[n++] = v[0] * 1000 + v[1] * 100 + v[2] * 10 + v[3];
     const int8 e(1, 2, 3, 4, 5, 6, 7, 8);
     const int4 low = e.lo(), high = e.hi(), even = e.even(), odd = e.odd();
     out[n++] = low.w() * 1000 + high.x() * 100 + even.y() * 10 + odd.z();
     int4 sum = low + high.xyzw() * 2;
     sum.yw() += 100;
     out[n++] = sum.x(), out[n++] = sum.y(), out[n++] = sum.w();
     v.x()++;
     v.yz() *= int2(2, 3);
     out[n++] = v.x(), out[n++] = v.y(), out[n++] = v.z();
     out[n++] = e.s7();
   }).wait();
  const int wanted[] = {4321, 7284, 7284, 4536, 11, 114, 120, 8, 4, 24, 8};
  CHECK_SAME(out, wanted, 11);
  free(out, q);
  return report();
}
