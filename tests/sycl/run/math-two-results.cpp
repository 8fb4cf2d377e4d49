// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions with a second result behind a pointer into private, local and global memory.
#include <sycl/sycl.hpp>

#include <cmath>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  double *out = malloc_shared<double>(15, q);
  int *whole = malloc_shared<int>(2, q);
  q.submit([&](handler &h) {
     local_accessor<double, 1> s(1, h);
     h.parallel_for(nd_range<1>(1, 1), [=](nd_item<1>) {
       double integer;
       out[0] = sycl::modf(-3.75, private_ptr<double>(&integer));
       out[1] = integer;
       out[2] = sycl::fract(-0.25, s.get_multi_ptr<access::decorated::no>());
       out[3] = s[0];
       out[4] = sycl::frexp(40.0, global_ptr<int>(whole));
       out[5] = sycl::sincos(0.5, global_ptr<double>(out + 6));
       out[7] = sycl::remquo(17.0, 5.0, global_ptr<int>(whole + 1));
       float2 integers;
       const float2 rest = sycl::modf(float2(2.5f, -1.25f), private_ptr<float2>(&integers));
       int2 quotients;
       const float2 left = sycl::remquo(float2(17, -9), float2(5, 4), private_ptr<int2>(&quotients));
       out[12] = left.x(), out[13] = left.y(), out[14] = quotients.y();
       out[8] = rest.x(), out[9] = rest.y(), out[10] = integers.x(), out[11] = integers.y();
     });
   }).wait();
  const double wanted[] = {-0.75, -3, 0.75, -1, 0.625, std::sin(0.5), std::cos(0.5), 2, 0.5, -0.25, 2, -1, 2, -1, -2};
  for (int i = 0; i < 15; i++)
    CHECK(std::fabs(out[i] - wanted[i]) < 1e-12);
  CHECK(whole[0] == 6 && (whole[1] & 7) == 3);
  free(out, q), free(whole, q);
  return report();
}
