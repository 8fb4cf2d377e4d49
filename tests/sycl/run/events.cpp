// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events: what they say of themselves, waiting for one and for lists, times in order, dependences of command groups.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q(property::queue::enable_profiling{});
  int *x = malloc_shared<int>(1000, q);
  event first = q.fill(x, 1, 1000);
  event second = q.submit([&](handler &h) {
    h.depends_on(first);
    h.parallel_for(range<1>(1000), [=](id<1> i) { x[i] += 1; });
  });
  event third = q.submit([&](handler &h) {
    h.depends_on({first, second});
    h.parallel_for(range<1>(1000), [=](id<1> i) { x[i] *= 10; });
  });
  event::wait({second, third});
  CHECK(third.get_info<info::event::command_execution_status>() == info::event_command_status::complete);
  for (int i = 0; i < 1000; i++)
    CHECK(x[i] == 20);
  const auto submitted = third.get_profiling_info<info::event_profiling::command_submit>();
  const auto started = third.get_profiling_info<info::event_profiling::command_start>();
  const auto ended = third.get_profiling_info<info::event_profiling::command_end>();
  CHECK(submitted <= started && started <= ended &&
        second.get_profiling_info<info::event_profiling::command_end>() <= ended);
  CHECK(first != second && event(second) == second);
  event none, other;
  none.wait();
  CHECK(none != other && event(none) == none && std::hash<event>()(none) != std::hash<event>()(other));
  queue plain;
  bool refused = false;
  try {
    plain.single_task([=] { x[0] = 1; }).get_profiling_info<info::event_profiling::command_end>();
  } catch (const exception &e) {
    refused = e.code() == errc::invalid;
  }
  CHECK(refused);
  free(x, q);
  return report();
}
