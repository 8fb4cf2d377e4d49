// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix and its transposed by vectors, rows in one kernel, columns in the other; long sums in double.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  const int m = 90, n = 130;
  std::vector<double> a(m * n), x(n), y(m), ax(m), aty(n), wantx(m), wanty(n);
  for (int i = 0; i < m * n; i++)
    a[i] = (i * 7) % 13 - 6;
  for (int i = 0; i < n; i++)
    x[i] = i % 5;
  for (int i = 0; i < m; i++)
    y[i] = i % 3 - 1;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      wantx[i] += a[i * n + j] * x[j], wanty[j] += a[i * n + j] * y[i];
  {
    buffer<double, 2> A(a.data(), range<2>(m, n));
    buffer X(x), Y(y), P(ax), R(aty);
    q.submit([&](handler &h) {
      accessor matrix(A, h, read_only);
      accessor in(X, h, read_only);
      accessor out(P, h, write_only);
      h.parallel_for(range<1>(m), [=](id<1> i) {
        double sum = 0;
        for (int j = 0; j < n; j++)
          sum += matrix[i[0]][j] * in[j];
        out[i] = sum;
      });
    });
    q.submit([&](handler &h) {
      accessor matrix(A, h, read_only);
      accessor in(Y, h, read_only);
      accessor out(R, h, write_only);
      h.parallel_for(range<1>(n), [=](id<1> j) {
        double sum = 0;
        for (int i = 0; i < m; i++)
          sum += matrix[i][j[0]] * in[i];
        out[j] = sum;
      });
    });
  }
  CHECK_SAME(ax, wantx, m);
  CHECK_SAME(aty, wanty, n);
  return report();
}
