// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups that do not divide the range, that are too large, or of no items are refused when they are submitted, with errc::nd_range.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

template <int D> static bool refused(queue &q, const nd_range<D> &shape) {
  try {
    q.parallel_for(shape, [=](nd_item<D>) {}).wait();
  } catch (const exception &e) {
    return e.code() == errc::nd_range;
  }
  return false;
}
int main() {
  queue q;
  CHECK(refused(q, nd_range<1>(100, 33)));
  CHECK(refused(q, nd_range<2>({8, 9}, {4, 2})));
  CHECK(refused(q, nd_range<1>(4096, 2048)));
  CHECK(refused(q, nd_range<1>(16, 0)));
  CHECK(!refused(q, nd_range<1>(0, 16)));
  CHECK(!refused(q, nd_range<3>({2, 4, 8}, {1, 2, 4})));
  CHECK(q.get_device().get_info<info::device::max_work_group_size>() == 1024);
  return report();
}
