// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Fourier transform in local memory, by stages with barriers, against the sum that defines it.
#include <sycl/sycl.hpp>

#include <cmath>

#include "check.hpp"

using namespace sycl;

int main() {
  const int n = 128;
  queue q;
  std::vector<float2> data(n), out(n);
  for (int i = 0; i < n; i++)
    data[i] = float2(std::cos(0.3f * i) + i % 3, 0.25f * (i % 5));
  {
    buffer in(data);
    buffer result(out);
    q.submit([&](handler &h) {
      accessor from(in, h, read_only);
      accessor to(result, h, write_only);
      local_accessor<float2> s(n, h);
      h.parallel_for(nd_range<1>(n / 2, n / 2), [=](nd_item<1> item) {
        const int me = item.get_local_id(0);
        for (int k : {me, me + n / 2}) {
          int reversed = 0;
          for (int bit = 1; bit < n; bit *= 2)
            reversed = reversed * 2 + (k & bit ? 1 : 0);
          s[reversed] = from[k];
        }
        for (int size = 2; size <= n; size *= 2) {
          group_barrier(item.get_group());
          const int half_size = size / 2, j = me % half_size, at = me / half_size * size + j;
          const float angle = -6.28318530718f * j / size;
          const float c = sycl::cos(angle), d = sycl::sin(angle);
          const float2 u = s[at], v = s[at + half_size];
          const float2 w(v.x() * c - v.y() * d, v.x() * d + v.y() * c);
          group_barrier(item.get_group());
          s[at] = u + w;
          s[at + half_size] = u - w;
        }
        group_barrier(item.get_group());
        to[me] = s[me], to[me + n / 2] = s[me + n / 2];
      });
    });
  }
  for (int k = 0; k < n; k++) {
    double re = 0, im = 0;
    for (int i = 0; i < n; i++) {
      const double angle = -6.283185307179586 * k * i / n;
      re += data[i].x() * std::cos(angle) - data[i].y() * std::sin(angle);
      im += data[i].x() * std::sin(angle) + data[i].y() * std::cos(angle);
    }
    CHECK(std::fabs(out[k].x() - re) < 1e-2 && std::fabs(out[k].y() - im) < 1e-2);
  }
  return report();
}
