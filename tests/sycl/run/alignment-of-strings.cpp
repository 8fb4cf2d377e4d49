// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distance of two strings by antidiagonals, a launch for each, which read what the two before wrote.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <string>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  std::string a, b;
  for (int i = 0; i < 70; i++)
    a += "acgt"[(i * i + i / 3) % 4];
  for (int i = 0; i < 55; i++)
    b += "acgt"[(i * 5 + i / 7) % 4];
  const int m = a.size(), n = b.size();
  std::vector<int> t((m + 1) * (n + 1)), got(t.size());
  for (int i = 0; i <= m; i++)
    for (int j = 0; j <= n; j++)
      t[i * (n + 1) + j] = !i   ? j
                           : !j ? i
                                : std::min({t[(i - 1) * (n + 1) + j] + 1, t[i * (n + 1) + j - 1] + 1,
                                            t[(i - 1) * (n + 1) + j - 1] + (a[i - 1] != b[j - 1])});
  {
    buffer<char> A(a.data(), range<1>(m)), B(b.data(), range<1>(n));
    buffer<int, 2> T(got.data(), range<2>(m + 1, n + 1));
    for (int d = 0; d <= m + n; d++) {
      const int low = std::max(0, d - n), high = std::min(d, m);
      q.submit([&](handler &h) {
        accessor x(A, h, read_only);
        accessor y(B, h, read_only);
        accessor out(T, h);
        h.parallel_for(range<1>(high - low + 1), [=](id<1> k) {
          const int i = low + int(k), j = d - i;
          out[i][j] = !i   ? j
                      : !j ? i
                           : sycl::min(sycl::min(out[i - 1][j] + 1, out[i][j - 1] + 1),
                                       out[i - 1][j - 1] + int(x[i - 1] != y[j - 1]));
        });
      });
    }
  }
  CHECK_SAME(got, t, t.size());
  return report();
}
