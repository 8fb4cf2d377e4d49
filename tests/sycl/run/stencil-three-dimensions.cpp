// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stencil over a range<3> with an id<3>, and the same by linear indices.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  const size_t z = 6, y = 9, x = 40;
  queue q;
  std::vector<int> in(z * y * x), out(in.size()), wanted(in.size());
  for (size_t i = 0; i < in.size(); i++)
    in[i] = i * i % 101;
  for (size_t i = 0; i < z; i++)
    for (size_t j = 0; j < y; j++)
      for (size_t k = 0; k < x; k++) {
        const size_t at = (i * y + j) * x + k;
        wanted[at] = in[at] + (i ? in[at - y * x] : 0) + (j ? in[at - x] : 0) + (k ? in[at - 1] : 0);
      }
  {
    buffer<int, 3> a(in.data(), range<3>(z, y, x)), b(out.data(), range<3>(z, y, x));
    q.submit([&](handler &h) {
      accessor from(a, h, read_only);
      accessor to(b, h, write_only);
      h.parallel_for(a.get_range(), [=](id<3> i) {
        int sum = from[i];
        if (i[0])
          sum += from[i[0] - 1][i[1]][i[2]];
        if (i[1])
          sum += from[id<3>(i[0], i[1] - 1, i[2])];
        if (i[2])
          sum += from[i - id<3>(0, 0, 1)];
        to[i] = sum;
      });
    });
  }
  CHECK_SAME(out, wanted, wanted.size());
  return report();
}
