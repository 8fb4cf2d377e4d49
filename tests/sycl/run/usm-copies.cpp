// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies between kinds of memory, within one, of parts; fills with structures; memset.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

struct three {
  char a[3];
};
int main() {
  queue q(property::queue::in_order{});
  std::vector<int> host(100), back(100);
  for (int i = 0; i < 100; i++)
    host[i] = i;
  int *d = malloc_device<int>(100, q), *e = malloc_device<int>(100, q), *s = malloc_shared<int>(100, q);
  q.memcpy(d, host.data(), 400);
  q.copy(d + 50, e, 50);
  q.copy(d, e + 50, 50);
  q.memcpy(s, e, 400);
  q.copy(s, back.data(), 100).wait();
  for (int i = 0; i < 100; i++)
    CHECK(back[i] == (i + 50) % 100);
  three *t = malloc_shared<three>(40, q);
  q.fill(t, three{{'x', 'y', 'z'}}, 40);
  q.memset(t + 39, 'q', 2).wait();
  CHECK(t[0].a[0] == 'x' && t[38].a[2] == 'z' && t[39].a[1] == 'q' && t[39].a[2] == 'z');
  free(d, q), free(e, q), free(s, q), free(t, q);
  return report();
}
