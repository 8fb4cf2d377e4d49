// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each operation of atomic references on integers: what it leaves and what it returns.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

template <class T> using ref = atomic_ref<T, memory_order::relaxed, memory_scope::device>;
template <class T> static void operations(queue &q) {
  T *x = malloc_shared<T>(20, q);
  q.single_task([=] {
     ref<T> a(x[0]);
     a.store(10);
     x[1] = a.fetch_add(5);
     x[2] = a.fetch_sub(3);
     x[3] = a.fetch_and(14);
     x[4] = a.fetch_or(33);
     x[5] = a.fetch_xor(5);
     x[6] = a.fetch_min(20);
     x[7] = a.fetch_max(64);
     x[8] = a.exchange(7);
     T expected = 8;
     x[9] = a.compare_exchange_strong(expected, 9);
     x[10] = expected;
     x[11] = a.compare_exchange_strong(expected, 9);
     x[12] = ++a;
     x[13] = a++;
     x[14] = a += 4;
     x[15] = a -= 1;
     x[16] = a--;
     x[17] = a.load();
     x[18] = T(a);
   }).wait();
  const T wanted[] = {13, 10, 15, 12, 12, 45, 40, 20, 64, 0, 7, 1, 10, 10, 15, 14, 14, 13, 13};
  for (int i = 0; i < 19; i++)
    CHECK(x[i] == wanted[i]);
  free(x, q);
}
int main() {
  queue q;
  operations<int>(q);
  operations<unsigned>(q);
  operations<long>(q);
  operations<unsigned long long>(q);
  return report();
}
