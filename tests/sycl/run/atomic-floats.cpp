// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic additions, minima and maxima of floating-point values from many items, and of pointers.
#include <sycl/sycl.hpp>

#include <algorithm>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  const int n = 2000;
  double *sum = malloc_shared<double>(3, q);
  float *ends = malloc_shared<float>(2, q);
  int *memory = malloc_shared<int>(n, q), **next = malloc_shared<int *>(1, q);
  sum[0] = sum[1] = 0, ends[0] = 1e30f, ends[1] = -1e30f, *next = memory;
  q.parallel_for(range<1>(n), [=](id<1> i) {
     atomic_ref<double, memory_order::relaxed, memory_scope::device> s(sum[0]), t(sum[1]);
     s += double(i[0]);
     t -= 0.5;
     atomic_ref<float, memory_order::acq_rel, memory_scope::device> low(ends[0]), high(ends[1]);
     low.fetch_min(float((i[0] * 37) % 1999) - 100.5f);
     high.fetch_max(float((i[0] * 37) % 1999));
     atomic_ref<int *, memory_order::relaxed, memory_scope::device> place(*next);
     *place.fetch_add(1) = int(i[0]);
   }).wait();
  CHECK(sum[0] == n * (n - 1) / 2.0 && sum[1] == -0.5 * n && ends[0] == -100.5f && ends[1] == 1998.0f);
  CHECK(*next == memory + n);
  std::sort(memory, memory + n);
  for (int i = 0; i < n; i++)
    CHECK(memory[i] == i);
  free(sum, q), free(ends, q), free(memory, q), free(next, q);
  return report();
}
