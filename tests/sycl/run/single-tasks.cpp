// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single tasks: their order, loops in them, static data of the host as arguments, many of them.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  long *x = malloc_shared<long>(3, q);
  x[0] = x[1] = 0, x[2] = 1;
  for (int k = 1; k <= 200; k++)
    q.single_task([=] {
      x[0] += k;
      for (int i = 0; i < k; i++)
        x[1] ^= i * k;
      x[2] = x[2] * 3 % 1000003;
    });
  q.wait();
  long a = 0, b = 0, c = 1;
  for (int k = 1; k <= 200; k++) {
    a += k, c = c * 3 % 1000003;
    for (int i = 0; i < k; i++)
      b ^= i * k;
  }
  CHECK(x[0] == a && x[1] == b && x[2] == c);
  free(x, q);
  return report();
}
