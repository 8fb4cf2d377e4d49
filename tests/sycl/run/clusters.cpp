// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points to the nearest of some centres, whose means are gathered by atomic additions of floating-point values.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  const int n = 900, k = 5, iterations = 4;
  queue q;
  std::vector<float> x(n), y(n), cx(k), cy(k);
  std::vector<int> wanted(n), got(n);
  for (int i = 0; i < n; i++)
    x[i] = (i * 37) % 101, y[i] = (i * 53) % 89;
  float *dx = malloc_shared<float>(n, q), *dy = malloc_shared<float>(n, q), *c = malloc_shared<float>(2 * k, q),
        *sum = malloc_shared<float>(3 * k, q);
  int *to = malloc_shared<int>(n, q);
  q.copy(x.data(), dx, n), q.copy(y.data(), dy, n);
  for (int m = 0; m < k; m++)
    c[2 * m] = cx[m] = 20 * m, c[2 * m + 1] = cy[m] = 15 * m;
  auto nearest = [](float px, float py, const auto &at, int k) {
    int best = 0;
    float least = 1e30f;
    for (int m = 0; m < k; m++) {
      const float d = (px - at(m, 0)) * (px - at(m, 0)) + (py - at(m, 1)) * (py - at(m, 1));
      if (d < least)
        least = d, best = m;
    }
    return best;
  };
  for (int iteration = 0; iteration < iterations; iteration++) {
    q.fill(sum, 0.0f, 3 * k).wait();
    q.parallel_for(range<1>(n), [=](id<1> i) {
       const int m = nearest(dx[i], dy[i], [=](int m, int d) { return c[2 * m + d]; }, k);
       to[i] = m;
       using sum_of = atomic_ref<float, memory_order::relaxed, memory_scope::device>;
       sum_of(sum[3 * m]) += dx[i], sum_of(sum[3 * m + 1]) += dy[i], sum_of(sum[3 * m + 2]) += 1.0f;
     }).wait();
    std::vector<double> s(3 * k);
    for (int i = 0; i < n; i++) {
      const int m = wanted[i] = nearest(x[i], y[i], [&](int m, int d) { return d ? cy[m] : cx[m]; }, k);
      s[3 * m] += x[i], s[3 * m + 1] += y[i], s[3 * m + 2]++;
    }
    CHECK_SAME(to, wanted, n);
    for (int m = 0; m < k; m++) { // sums of integers are exact
      CHECK(sum[3 * m] == s[3 * m] && sum[3 * m + 1] == s[3 * m + 1] && sum[3 * m + 2] == s[3 * m + 2]);
      if (s[3 * m + 2]) {
        c[2 * m] = cx[m] = float(s[3 * m] / s[3 * m + 2]);
        c[2 * m + 1] = cy[m] = float(s[3 * m + 1] / s[3 * m + 2]);
      }
    }
  }
  free(dx, q), free(dy, q), free(c, q), free(sum, q), free(to, q);
  return report();
}
