// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What queues know of themselves: device, context, properties, equality, hashes; a queue in a container.
#include <sycl/sycl.hpp>

#include <unordered_map>

#include "check.hpp"

using namespace sycl;

int main() {
  queue plain, ordered(property::queue::in_order{}),
      timed(default_selector_v, {property::queue::enable_profiling(), property::queue::in_order()});
  CHECK(!plain.is_in_order() && ordered.is_in_order() && timed.is_in_order());
  CHECK(timed.has_property<property::queue::enable_profiling>() &&
        !ordered.has_property<property::queue::enable_profiling>());
  CHECK(plain.get_device() == ordered.get_device());
  context shared(plain.get_device());
  queue a(shared, shared.get_devices()[0]), b = a, c(shared, default_selector_v);
  CHECK(a == b && a != c && a.get_context() == c.get_context() && a.get_context() == shared);
  CHECK(a.get_info<info::queue::device>() == a.get_device() && a.get_info<info::queue::context>() == shared);
  std::unordered_map<queue, int> numbers;
  numbers[a] = 1, numbers[c] = 2;
  CHECK(numbers[b] == 1 && numbers.size() == 2);
  bool thrown = false;
  try {
    plain.get_property<property::queue::in_order>();
  } catch (const exception &e) {
    thrown = e.code() == errc::invalid;
  }
  CHECK(thrown);
  return report();
}
