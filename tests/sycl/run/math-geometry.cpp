// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dot, cross, length, distance, normalize of vectors in float and double, and of marrays.
#include <sycl/sycl.hpp>

#include <cmath>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  double *out = malloc_shared<double>(10, q);
  q.single_task([=] {
     const float3 a(1, 2, 3), b(-4, 5, 6);
     out[0] = sycl::dot(a, b);
     const float3 c = sycl::cross(a, b);
     out[1] = c.x(), out[2] = c.y(), out[3] = c.z();
     out[4] = sycl::length(float2(3, 4)), out[5] = sycl::distance(double3(1, 1, 1), double3(1, 4, 5));
     const float4 n = sycl::normalize(float4(0, 3, 0, 4));
     out[6] = n.y(), out[7] = n.w();
     out[8] = sycl::dot(mfloat3(1, 2, 3), mfloat3(1, 1, 1));
     out[9] = sycl::fast_length(float3(2, 3, 6));
   }).wait();
  const double wanted[] = {24, -3, -18, 13, 5, 5, 0.6, 0.8, 6, 7};
  for (int i = 0; i < 10; i++)
    CHECK(std::fabs(out[i] - wanted[i]) < 1e-6);
  free(out, q);
  return report();
}
