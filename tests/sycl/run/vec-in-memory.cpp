// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of vectors in buffers, in local memory and in structures that kernels capture.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

struct blend {
  char tag;
  float3 color;
  int2 place;
};
int main() {
  queue q;
  const int n = 64;
  std::vector<float4> data(n);
  std::vector<int> sums(n);
  for (int i = 0; i < n; i++)
    data[i] = float4(i, 2 * i, 3 * i, 4 * i);
  const blend m{'m', float3(0.5f, 1.0f, 2.0f), int2(7, 9)};
  {
    buffer all(data);
    buffer out(sums);
    q.submit([&](handler &h) {
      accessor a(all, h);
      accessor s(out, h, write_only);
      local_accessor<float4> part(16, h);
      h.parallel_for(nd_range<1>(n, 16), [=](nd_item<1> item) {
        const int i = item.get_global_id(0), k = item.get_local_id(0);
        part[k] = a[i] * float4(m.color, 1.0f);
        group_barrier(item.get_group());
        const float4 other = part[15 - k];
        s[i] = int(other.x() + other.y() + other.z() + other.w()) + m.place.y();
        a[i].w() = m.tag == 'm';
      });
    });
  }
  for (int i = 0; i < n; i++) {
    const int other = i / 16 * 16 + 15 - i % 16;
    CHECK(sums[i] == int(0.5f * other + 2.0f * other + 6.0f * other + 4.0f * other) + 9);
    CHECK(data[i].w() == 1.0f && data[i].z() == 3.0f * i);
  }
  return report();
}
