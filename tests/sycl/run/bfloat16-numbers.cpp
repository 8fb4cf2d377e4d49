// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bfloat16: rounding to the nearest, to even; what is no number stays so; arithmetic by float.
#include <sycl/sycl.hpp>

#include <cmath>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  using ext::oneapi::bfloat16;
  const float in[] = {1.0f, 1.00390625f, 1.01171875f, 3.14159265f, -65536.5f, 1e-40f, INFINITY, NAN};
  float *x = malloc_shared<float>(10, q);
  q.parallel_for(range<1>(8), [=](id<1> i) { x[i] = float(bfloat16(in[i])); }).wait();
  CHECK(x[0] == 1.0f && x[1] == 1.0f && x[2] == 1.015625f && x[3] == 3.140625f && x[4] == -65536.0f);
  CHECK(x[6] == INFINITY && x[7] != x[7]);
  q.single_task([=] {
     bfloat16 a(3.0f), b(0.5f);
     a += b * bfloat16(4.0f);
     x[8] = a;
     x[9] = (a > b) + 2 * (a == bfloat16(5.0f));
   }).wait();
  CHECK(x[8] == 5.0f && x[9] == 3);
  static_assert(sizeof(bfloat16) == 2);
  free(x, q);
  return report();
}
