// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several reductions of one kernel, over a range of two dimensions, with the variables' old values and without.
#include <sycl/sycl.hpp>

#include <algorithm>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  const int rows = 30, columns = 41;
  std::vector<int> data(rows * columns);
  int sum = 100, least = 1 << 30, most = -1;
  double squares = 1e9;
  for (int i = 0; i < rows * columns; i++)
    data[i] = (i * 31) % 997 + 1;
  {
    buffer<int, 2> in(data.data(), range<2>(rows, columns));
    buffer<int> a(&sum, 1), b(&least, 1), c(&most, 1);
    buffer<double> d(&squares, 1);
    q.submit([&](handler &h) {
      accessor from(in, h, read_only);
      auto s = reduction(a, h, plus<int>());
      auto l = reduction(b, h, minimum<int>());
      auto m = reduction(c, h, maximum<int>());
      auto t = reduction(d, h, plus<double>(), property::reduction::initialize_to_identity());
      h.parallel_for(range<2>(rows, columns), s, l, m, t, [=](id<2> i, auto &s, auto &l, auto &m, auto &t) {
        const int x = from[i];
        s += x;
        l.combine(x);
        m.combine(x);
        t += double(x) * x;
      });
    });
  }
  int s = 100, l = 1 << 30, m = -1;
  double t = 0;
  for (int x : data)
    s += x, l = std::min(l, x), m = std::max(m, x), t += double(x) * x;
  CHECK(sum == s && least == l && most == m && squares == t);
  return report();
}
