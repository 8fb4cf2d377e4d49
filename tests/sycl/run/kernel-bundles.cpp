// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel bundles: kernels by their names, what they know of themselves, bundles in commands, states.
#include <sycl/sycl.hpp>

#include <string>

#include "check.hpp"

using namespace sycl;

class by_name;
int main() {
  queue q;
  int *x = malloc_shared<int>(1, q);
  const context where = q.get_context();
  auto bundle = get_kernel_bundle<bundle_state::executable>(where);
  CHECK(!bundle.empty() && bundle.get_context() == where && bundle.get_devices().size() == 1);
  const kernel_id id = get_kernel_id<by_name>();
  CHECK(bundle.has_kernel(id) && (has_kernel_bundle<bundle_state::executable>(where, {q.get_device()}, {id})));
  q.submit([&](handler &h) {
     h.use_kernel_bundle(bundle);
     h.single_task<by_name>([=] { *x = 4; });
   }).wait();
  CHECK(*x == 4);
  const kernel k = bundle.get_kernel(id);
  CHECK(k.get_context() == where && k.get_info<info::kernel_device_specific::work_group_size>(q.get_device()) == 1024);
  CHECK((is_compatible<by_name>(q.get_device())) && std::string(id.get_name()).find("by_name") != std::string::npos);
  auto built = build(get_kernel_bundle<bundle_state::input>(where));
  CHECK(built.has_kernel<by_name>());
  free(x, q);
  return report();
}
