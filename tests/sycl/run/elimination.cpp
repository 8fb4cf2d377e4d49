// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear equations by elimination, two launches for each column, to a tolerance.
#include <sycl/sycl.hpp>

#include <cmath>

#include "check.hpp"

using namespace sycl;

int main() {
  const int n = 24;
  queue q(property::queue::in_order{});
  double *a = malloc_shared<double>(n * (n + 1), q), *factor = malloc_shared<double>(n, q);
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++)
      sum += (a[i * (n + 1) + j] = (i * 5 + j * 3) % 7 + (i == j ? 40 : 0)) * (j + 1);
    a[i * (n + 1) + n] = sum; // so that the solution is 1, 2, 3, …
  }
  for (int k = 0; k < n; k++) {
    q.parallel_for(range<1>(n), [=](id<1> i) { factor[i] = i == k ? 0 : a[i * (n + 1) + k] / a[k * (n + 1) + k]; });
    q.parallel_for(range<2>(n, n + 1 - k),
                   [=](id<2> at) { a[at[0] * (n + 1) + k + at[1]] -= factor[at[0]] * a[k * (n + 1) + k + at[1]]; });
  }
  q.wait();
  for (int i = 0; i < n; i++)
    CHECK(std::fabs(a[i * (n + 1) + n] / a[i * (n + 1) + i] - (i + 1)) < 1e-9);
  free(a, q), free(factor, q);
  return report();
}
