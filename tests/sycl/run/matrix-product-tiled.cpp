// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix product by tiles in local memory, with sizes that are whole tiles, against three loops.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  const int n = 48, tile = 16;
  queue q;
  std::vector<float> a(n * n), b(n * n), c(n * n), wanted(n * n);
  for (int i = 0; i < n * n; i++)
    a[i] = i % 7 - 3, b[i] = i % 5 - 2;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        wanted[i * n + j] += a[i * n + k] * b[k * n + j];
  {
    buffer<float, 2> A(a.data(), range<2>(n, n)), B(b.data(), range<2>(n, n)), C(c.data(), range<2>(n, n));
    q.submit([&](handler &h) {
      accessor left(A, h, read_only);
      accessor right(B, h, read_only);
      accessor out(C, h, write_only, no_init);
      local_accessor<float, 2> s(range<2>(tile, tile), h), t(range<2>(tile, tile), h);
      h.parallel_for(nd_range<2>({n, n}, {tile, tile}), [=](nd_item<2> item) {
        const int i = item.get_global_id(0), j = item.get_global_id(1), y = item.get_local_id(0),
                  x = item.get_local_id(1);
        float sum = 0;
        for (int k = 0; k < n; k += tile) {
          s[y][x] = left[i][k + x];
          t[y][x] = right[k + y][j];
          group_barrier(item.get_group());
          for (int m = 0; m < tile; m++)
            sum += s[y][m] * t[m][x];
          group_barrier(item.get_group());
        }
        out[i][j] = sum;
      });
    });
  }
  CHECK_SAME(c, wanted, wanted.size());
  return report();
}
