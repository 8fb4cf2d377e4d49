// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may be copied to kernels: trivial types, pairs, tuples, arrays, and those that a program says of.
#include <sycl/sycl.hpp>

#include <array>
#include <tuple>

#include "check.hpp"

using namespace sycl;

struct counted {
  int value;
  counted(int value) : value(value) {}
  counted(const counted &other) : value(other.value) {}
};
struct unsaid {
  unsaid(const unsaid &) {}
};
template <> struct sycl::is_device_copyable<counted> : std::true_type {};
int main() {
  queue q;
  static_assert(is_device_copyable_v<int> && is_device_copyable_v<counted> && !is_device_copyable_v<unsaid> &&
                is_device_copyable_v<const counted>);
  static_assert(is_device_copyable_v<std::pair<int, counted>> && is_device_copyable_v<std::tuple<float, counted>> &&
                is_device_copyable_v<std::array<counted, 2>>);
  static_assert(!is_device_copyable_v<std::tuple<float, unsaid>>);
  const counted c(41);
  const std::tuple<int, double> t(1, 0.5);
  double *x = malloc_shared<double>(1, q);
  q.single_task([=] { *x = c.value + std::get<0>(t) + std::get<1>(t); }).wait();
  CHECK(*x == 42.5);
  free(x, q);
  return report();
}
