// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts: of devices and platforms, equality, their handlers of errors, exceptions that name them.
#include <sycl/sycl.hpp>

#include <unordered_set>

#include "check.hpp"

using namespace sycl;

int main() {
  const context a, b(device{}), c(platform{}), d(std::vector<device>{device()});
  CHECK(a != b && a == context(a) && c.get_devices().size() == 1 && d.get_platform() == platform());
  CHECK(a.get_info<info::context::devices>()[0] == device() && a.get_info<info::context::platform>() == platform());
  std::unordered_set<context> all{a, b, c, d, a};
  CHECK(all.size() == 4);
  int seen = 0;
  const context listening([&](exception_list list) { seen += int(list.size()); });
  queue q(listening, default_selector_v);
  q.submit([&](handler &h) { h.host_task([] { throw 1; }); });
  q.wait_and_throw();
  CHECK(seen == 1);
  int *x = malloc_shared<int>(4, q.get_device(), listening);
  q.fill(x, 6, 4).wait();
  CHECK(x[3] == 6);
  free(x, listening);
  try {
    context of_none{std::vector<device>()};
    CHECK(false);
  } catch (const exception &e) {
    CHECK(e.code() == errc::invalid);
  }
  CHECK(queue().get_context() == queue(cpu_selector_v).get_context() &&
        queue(device()).get_context() == queue().get_context());
  CHECK(queue(context(), device()).get_context() != queue().get_context());
  return report();
}
