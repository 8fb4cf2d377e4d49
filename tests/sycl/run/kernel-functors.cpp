// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels as named functors with members, arguments of templates, generic lambdas, functions taken as arguments.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

template <class T> struct scale {
  T *memory;
  T by;
  void operator()(id<1> i) const { memory[i] *= by; }
};
struct with_item {
  int *memory;
  void operator()(item<1> i) const { memory[i.get_linear_id()] += int(i.get_range(0)); }
};
template <class F> static event apply(queue &q, int n, F f) {
  return q.parallel_for(range<1>(n), [=](auto i) { f(int(i)); });
}
int main() {
  queue q;
  const int n = 100;
  int *x = malloc_shared<int>(n, q);
  double *y = malloc_shared<double>(n, q);
  for (int i = 0; i < n; i++)
    x[i] = i, y[i] = i;
  q.parallel_for(range<1>(n), scale<int>{x, 3}).wait();
  q.parallel_for<class named>(range<1>(n), scale<double>{y, 0.5}).wait();
  q.parallel_for(range<1>(n), with_item{x}).wait();
  apply(q, n, [=](int i) { x[i] -= 1; }).wait();
  apply(q, n, [=](int i) { y[i] += x[i]; }).wait();
  for (int i = 0; i < n; i++)
    CHECK(x[i] == 3 * i + 99 && y[i] == 0.5 * i + 3 * i + 99);
  free(x, q), free(y, q);
  return report();
}
