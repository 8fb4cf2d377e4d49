// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clamp, mix, step, smoothstep, sign, degrees on scalars and vectors, with scalars among vectors.
#include <sycl/sycl.hpp>

#include <cmath>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  float *out = malloc_shared<float>(16, q);
  q.single_task([=] {
     out[0] = sycl::clamp(5.0f, 0.0f, 2.0f), out[1] = sycl::mix(2.0f, 6.0f, 0.25f), out[2] = sycl::step(1.0f, 0.5f),
     out[3] = sycl::step(1.0f, 1.5f);
     out[4] = sycl::smoothstep(0.0f, 2.0f, 1.0f), out[5] = sycl::sign(-3.0f), out[6] = sycl::degrees(3.14159265f),
     out[7] = sycl::radians(180.0f);
     const float4 v(-1.0f, 0.25f, 0.75f, 2.0f);
     const float4 c = sycl::clamp(v, 0.0f, 1.0f), s = sycl::step(0.5f, v), t = sycl::smoothstep(0.0f, 1.0f, v),
                  m = sycl::mix(v, float4(0.0f), 0.5f);
     out[8] = c.x() + c.w(), out[9] = s.x() + 2 * s.y() + 4 * s.z() + 8 * s.w(), out[10] = t.y(), out[11] = m.w();
     out[12] = sycl::max(v, 0.5f).y(), out[13] = sycl::fmin(v, float4(0.0f)).x();
   }).wait();
  const float wanted[] = {2, 3, 0, 1, 0.5f, -1, 180, 3.14159265f, 1, 12, 0.15625f, 1, 0.5f, -1};
  for (int i = 0; i < 14; i++)
    CHECK(std::fabs(out[i] - wanted[i]) < 1e-4f);
  free(out, q);
  return report();
}
