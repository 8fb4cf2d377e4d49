// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gravity of bodies: vec members of a structure, rsqrt, and a step in time, to a tolerance.
#include <sycl/sycl.hpp>

#include <cmath>

#include "check.hpp"

using namespace sycl;

struct body {
  float4 place, speed;
};
static float4 pull(const body *all, int n, int i) {
  float4 sum(0.0f);
  for (int k = 0; k < n; k++) {
    const float4 d = all[k].place - all[i].place;
    const float squared = d.x() * d.x() + d.y() * d.y() + d.z() * d.z() + 0.01f;
    const float inverse = sycl::rsqrt(squared);
    sum += d * (all[k].place.w() * inverse * inverse * inverse);
  }
  return sum;
}
int main() {
  const int n = 200;
  queue q;
  body *all = malloc_shared<body>(n, q), *next = malloc_shared<body>(n, q);
  for (int i = 0; i < n; i++)
    all[i] = {float4(i % 10, i / 10 % 10, i / 100, 1.0f + i % 3), float4(0.0f)};
  q.parallel_for(range<1>(n), [=](id<1> i) {
     float4 force = pull(all, n, int(i[0]));
     force.w() = 0;
     next[i] = all[i];
     next[i].speed += force * 0.01f;
     next[i].place += next[i].speed * 0.01f;
   }).wait();
  for (int i = 0; i < n; i++) {
    double x = 0;
    for (int k = 0; k < n; k++) {
      const double dx = all[k].place[0] - all[i].place[0], dy = all[k].place[1] - all[i].place[1],
                   dz = all[k].place[2] - all[i].place[2];
      const double squared = dx * dx + dy * dy + dz * dz + 0.01;
      x += dx * all[k].place[3] / (squared * std::sqrt(squared));
    }
    CHECK(std::fabs(next[i].speed[0] - 0.01 * x) < 1e-4 * (1 + std::fabs(x)));
    CHECK(next[i].place[3] == all[i].place[3]);
  }
  free(all, q), free(next, q);
  return report();
}
