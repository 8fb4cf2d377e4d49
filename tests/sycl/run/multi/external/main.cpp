// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SYCL_EXTERNAL: kernels of two files, which call functions and constructors of each other's files; also before
// extern "C".
#include "external.hpp"

SYCL_EXTERNAL int of_main(int x) { return x * 2 + own_of_main(x); }

int main() {
  sycl::queue q;
  int *data = sycl::malloc_shared<int>(300, q);
  for (int i = 0; i < 300; i++)
    data[i] = i;
  q.parallel_for(sycl::range<1>(300), [=](sycl::id<1> i) {
     data[i] = of_other(data[i]) + plain_of_other(counted<3>(1)) + scaled(1).value;
   }).wait();
  other(q, data, 300);
  for (int i = 0; i < 300; i++)
    CHECK(data[i] == (i * i + 1 + 9 + 7) * 3 + 4);
  sycl::free(data, q);
  return report();
}
