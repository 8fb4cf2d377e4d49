// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices and platforms: selectors of each kind, aspects, what is asked of a device, and that all queues have one.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  const device d(default_selector_v), c(cpu_selector_v);
  CHECK(d == c && d.is_cpu() && !d.is_gpu());
  CHECK(device(aspect_selector(aspect::fp64, aspect::cpu)) == d);
  bool refused = false;
  try {
    device none(aspect_selector({aspect::fp64}, {aspect::cpu}));
  } catch (const exception &e) {
    refused = e.code() == errc::runtime;
  }
  CHECK(refused);
  CHECK(device([](const device &one) { return one.is_cpu() ? 5 : -1; }) == d);
  CHECK(d.get_platform().get_devices().size() == 1 && platform::get_platforms()[0] == d.get_platform());
  CHECK(device::get_devices(info::device_type::gpu).empty() && device::get_devices(info::device_type::cpu).size() == 1);
  CHECK(d.get_info<info::device::max_compute_units>() >= 1 && d.get_info<info::device::max_work_item_dimensions>() == 3);
  CHECK(d.get_info<info::device::sub_group_sizes>() == std::vector<size_t>{32});
  CHECK(!d.get_info<info::device::name>().empty() && d.get_info<info::device::address_bits>() == 64);
  for (aspect one : d.get_info<info::device::aspects>())
    CHECK(d.has(one));
  static_assert(any_device_has_v<aspect::fp64> && !any_device_has_v<aspect::gpu> && all_devices_have_v<aspect::cpu>);
  CHECK(queue(gpu_selector_v).get_device() == d);
  return report();
}
