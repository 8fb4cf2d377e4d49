// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse matrix by a vector: each row has its own number of entries.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  const int n = 333;
  queue q;
  std::vector<int> first{0}, column;
  std::vector<double> value, x(n), y(n), wanted(n);
  for (int i = 0; i < n; i++) {
    x[i] = i % 17;
    for (int k = 0; k <= i % 6; k++)
      column.push_back((i * 31 + k * 57) % n), value.push_back(k + 1);
    first.push_back(column.size());
  }
  for (int i = 0; i < n; i++)
    for (int e = first[i]; e < first[i + 1]; e++)
      wanted[i] += value[e] * x[column[e]];
  {
    buffer f(first), c(column);
    buffer v(value), in(x), out(y);
    q.submit([&](handler &h) {
      auto heads = f.get_access<access::mode::read>(h);
      auto columns = c.get_access<access::mode::read>(h);
      auto values = v.get_access<access::mode::read>(h);
      auto from = in.get_access<access::mode::read>(h);
      auto to = out.get_access<access::mode::discard_write>(h);
      h.parallel_for<class product>(range<1>(n), [=](id<1> i) {
        double sum = 0;
        for (int e = heads[i]; e < heads[i + 1]; e++)
          sum += values[e] * from[columns[e]];
        to[i] = sum;
      });
    });
  }
  CHECK_SAME(y, wanted, n);
  return report();
}
