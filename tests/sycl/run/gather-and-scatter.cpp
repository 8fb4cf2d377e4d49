// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes at indices from memory, with indices of each width, signed and not.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

template <class I> static void through(queue &q) {
  const int n = 120;
  I *to = malloc_shared<I>(n, q);
  double *x = malloc_shared<double>(n, q), *y = malloc_shared<double>(n, q), *z = malloc_shared<double>(n, q);
  for (int i = 0; i < n; i++)
    to[i] = I((i * 7 + 3) % n), x[i] = 0.5 * i;
  q.parallel_for(range<1>(n), [=](id<1> i) { y[to[i]] = x[i]; }).wait();
  q.parallel_for(range<1>(n), [=](id<1> i) { z[i] = y[to[to[i]]]; }).wait();
  for (int i = 0; i < n; i++)
    CHECK(y[(i * 7 + 3) % n] == 0.5 * i && z[i] == 0.5 * ((i * 7 + 3) % n));
  free(to, q), free(x, q), free(y, q), free(z, q);
}
int main() {
  queue q;
  through<std::uint8_t>(q);
  through<std::int8_t>(q);
  through<std::uint16_t>(q);
  through<int>(q);
  through<unsigned>(q);
  through<std::int64_t>(q);
  through<size_t>(q);
  return report();
}
