// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "external.hpp"

SYCL_EXTERNAL int of_other(int x) { return x * x + 1; }
SYCL_EXTERNAL scaled::scaled(int x) : value(x * 7) {}
SYCL_EXTERNAL
extern "C" int plain_of_other(int x) { return x + 5; }

void other(sycl::queue &q, int *data, int count) {
  q.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { data[i] = of_main(data[i]) + counted<3>(1); }).wait();
}
