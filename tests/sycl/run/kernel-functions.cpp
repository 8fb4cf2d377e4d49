// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that kernels call: templates, recursion with a bound, virtual ones of objects made in the kernel, static members, default
// arguments.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

template <int N> static int power(int x) { return x * power<N - 1>(x); }
template <> int power<0>(int) { return 1; }
static int add(int a, int b = 10) { return a + b; }
struct shape {
  virtual int area() const = 0;
};
struct square : shape {
  int side;
  explicit square(int side) : side(side) {}
  int area() const override { return side * side; }
};
struct strip : square {
  using square::square;
  int area() const override { return 2 * square::area(); }
};
struct counter {
  static constexpr int start = 1000;
  static int from(int x) { return start + x; }
};
int main() {
  queue q;
  int *out = malloc_shared<int>(60, q);
  q.parallel_for(range<1>(10), [=](id<1> i) {
     const int k = int(i[0]);
     out[6 * k] = power<3>(k);
     out[6 * k + 1] = add(k) + add(k, 1);
     square a(k);
     strip b(k + 1);
     const shape *both[] = {&a, &b};
     out[6 * k + 2] = both[k % 2]->area();
     out[6 * k + 3] = counter::from(k);
     int digits = 0;
     for (int x = k * k * k; x; x /= 10)
       digits++;
     out[6 * k + 4] = digits;
     switch (k % 4) {
     case 0: out[6 * k + 5] = 5; break;
     case 1: out[6 * k + 5] = 6; [[fallthrough]];
     case 2: out[6 * k + 5] = 7; break;
     default: out[6 * k + 5] = 8;
     }
   }).wait();
  const int cases[] = {5, 7, 7, 8};
  for (int k = 0; k < 10; k++) {
    int digits = 0;
    for (int x = k * k * k; x; x /= 10)
      digits++;
    CHECK(out[6 * k] == k * k * k && out[6 * k + 1] == 2 * k + 11 &&
          out[6 * k + 2] == (k % 2 ? 2 * (k + 1) * (k + 1) : k * k));
    CHECK(out[6 * k + 3] == 1000 + k && out[6 * k + 4] == digits && out[6 * k + 5] == cases[k % 4]);
  }
  free(out, q);
  return report();
}
