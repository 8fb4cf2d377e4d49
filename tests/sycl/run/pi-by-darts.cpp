// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random points in a square by a generator in each item, counted by a reduction; a count that is known from the host.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

static bool inside(unsigned &state) {
  state = state * 1664525u + 1013904223u;
  const unsigned x = state >> 17;
  state = state * 1664525u + 1013904223u;
  const unsigned y = state >> 17;
  return x * x + y * y < 32768u * 32768u;
}
int main() {
  queue q;
  const int items = 256, each = 100;
  int count = 0, wanted = 0;
  {
    buffer<int> total(&count, 1);
    q.submit([&](handler &h) {
      h.parallel_for(range<1>(items), reduction(total, h, plus<int>()), [=](id<1> i, auto &sum) {
        unsigned state = unsigned(i) * 747796405u + 1;
        for (int k = 0; k < each; k++)
          sum += inside(state);
      });
    });
  }
  for (int i = 0; i < items; i++) {
    unsigned state = i * 747796405u + 1;
    for (int k = 0; k < each; k++)
      wanted += inside(state);
  }
  CHECK(count == wanted && count > 19000 && count < 21000);
  return report();
}
