// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolution with a halo in local memory, whose rim items load more than others.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  const int n = 512, items = 64, radius = 5;
  queue q;
  std::vector<float> in(n), weights(2 * radius + 1), out(n), wanted(n);
  for (int i = 0; i < n; i++)
    in[i] = i % 9;
  for (int k = 0; k <= 2 * radius; k++)
    weights[k] = k - radius + 1;
  for (int i = 0; i < n; i++)
    for (int k = -radius; k <= radius; k++)
      if (i + k >= 0 && i + k < n)
        wanted[i] += in[i + k] * weights[k + radius];
  {
    buffer a(in), w(weights), b(out);
    q.submit([&](handler &h) {
      accessor from(a, h, read_only);
      accessor weight(w, h, read_only);
      accessor to(b, h, write_only);
      local_accessor<float> part(items + 2 * radius, h);
      h.parallel_for(nd_range<1>(n, items), [=](nd_item<1> item) {
        const int i = item.get_global_id(0), me = item.get_local_id(0);
        part[me + radius] = from[i];
        if (me < radius) {
          part[me] = i >= radius ? from[i - radius] : 0.0f;
          part[me + items + radius] = i + items < n ? from[i + items] : 0.0f;
        }
        group_barrier(item.get_group());
        float sum = 0;
        for (int k = 0; k <= 2 * radius; k++)
          sum += part[me + k] * weight[k];
        to[i] = sum;
      });
    });
  }
  CHECK_SAME(out, wanted, n);
  return report();
}
