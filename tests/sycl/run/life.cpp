// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The game of life on a torus for some iterations, with two kernels that take turns.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  const int n = 32;
  queue q;
  int *a = malloc_shared<int>(n * n, q), *b = malloc_shared<int>(n * n, q);
  std::vector<int> x(n * n), y(n * n);
  for (int i = 0; i < n * n; i++)
    x[i] = a[i] = (i * 7 + i / n * 3) % 5 == 0;
  for (int iteration = 0; iteration < 20; iteration++) {
    q.parallel_for(range<2>(n, n), [=](id<2> at) {
       int count = 0;
       for (int di = -1; di <= 1; di++)
         for (int dj = -1; dj <= 1; dj++)
           if (di || dj)
             count += a[(at[0] + di + n) % n * n + (at[1] + dj + n) % n];
       b[at[0] * n + at[1]] = count == 3 || (count == 2 && a[at[0] * n + at[1]]);
     }).wait();
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        int count = 0;
        for (int k = 0; k < 9; k++)
          if (k != 4)
            count += x[(i + k / 3 - 1 + n) % n * n + (j + k % 3 - 1 + n) % n];
        y[i * n + j] = count == 3 || (count == 2 && x[i * n + j]);
      }
    std::swap(a, b), std::swap(x, y);
  }
  CHECK_SAME(a, x, x.size());
  free(a, q), free(b, q);
  return report();
}
