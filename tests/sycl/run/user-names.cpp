// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels in namespaces, classes, templates and lambdas within lambdas; the same lambda launched twice; one name for each type.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

namespace outer {
namespace {
template <class T> struct runner {
  queue &q;
  T *memory;
  void add(T value) {
    q.parallel_for<runner>(range<1>(10), [m = memory, value](id<1> i) { m[i] += value; }).wait();
  }
  static void twice(queue &q, T *memory) {
    auto kernel = [=](id<1> i) { memory[i] *= 2; };
    q.parallel_for(range<1>(10), kernel);
    q.parallel_for(range<1>(10), kernel).wait();
  }
};
} // namespace
} // namespace outer
template <int N> class numbered;
int main() {
  queue q;
  int *x = malloc_shared<int>(10, q);
  float *y = malloc_shared<float>(10, q);
  q.fill(x, 1, 10), q.fill(y, 1.0f, 10).wait();
  outer::runner<int>{q, x}.add(4);
  outer::runner<float>{q, y}.add(0.5f);
  outer::runner<int>::twice(q, x);
  outer::runner<float>::twice(q, y);
  q.single_task<numbered<1>>([=] { x[0] += 1; }).wait();
  q.single_task<numbered<2>>([=] { x[0] += 2; }).wait();
  auto within = [&](int by) {
    auto deeper = [&](int more) { q.single_task([=] { x[1] += by * more; }).wait(); };
    deeper(10);
    deeper(100);
  };
  within(1);
  CHECK(x[0] == 23 && x[1] == 130 && x[2] == 20 && y[9] == 6.0f);
  free(x, q), free(y, q);
  return report();
}
