// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first SYCL program: y = a * x + y.  unwarp -fsycl examples/saxpy.cpp -o saxpy && ./saxpy
#include <cmath>
#include <cstdio>
#include <sycl/sycl.hpp>

int main() {
  const int count = 1 << 20;
  sycl::queue queue;
  float *x = sycl::malloc_shared<float>(count, queue), *y = sycl::malloc_shared<float>(count, queue);
  for (int i = 0; i < count; i++) {
    x[i] = 0.5f * i;
    y[i] = 1;
  }

  const float a = 2;
  queue.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { y[i] = a * x[i] + y[i]; }).wait();

  int wrong = 0;
  for (int i = 0; i < count; i++)
    wrong += std::fabs(y[i] - (a * 0.5f * i + 1)) > 1e-6f * std::fabs(y[i]);
  std::printf("saxpy of %d elements on %s: %s\n", count,
              queue.get_device().get_info<sycl::info::device::name>().c_str(), wrong ? "wrong" : "right");
  sycl::free(x, queue);
  sycl::free(y, queue);
  return wrong != 0;
}
