// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices and platforms: selectors of each kind, aspects, what is asked of a device, and that all queues have one.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

template <class F> bool is_unsupported(F f) {
  try {
    f();
  } catch (const exception &e) {
    return e.code() == errc::feature_not_supported;
  }
  return false;
}

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
  CHECK(d.get_info<info::device::max_compute_units>() >= 1 &&
        d.get_info<info::device::max_work_item_dimensions>() == 3);
  CHECK(d.get_info<info::device::sub_group_sizes>() == std::vector<size_t>{32});
  CHECK(!d.get_info<info::device::name>().empty() && d.get_info<info::device::address_bits>() == 64);
  for (aspect one : d.get_info<info::device::aspects>())
    CHECK(d.has(one));
  static_assert(any_device_has_v<aspect::fp64> && !any_device_has_v<aspect::gpu> && all_devices_have_v<aspect::cpu>);
  CHECK(queue(gpu_selector_v).get_device() == d);
  // It has no parts, and says so.
  using part = info::partition_property;
  CHECK(is_unsupported([&] { d.create_sub_devices<part::partition_equally>(1); }));
  CHECK(is_unsupported([&] { d.create_sub_devices<part::partition_by_counts>({1, 1}); }));
  CHECK(is_unsupported(
      [&] { d.create_sub_devices<part::partition_by_affinity_domain>(info::partition_affinity_domain::numa); }));
  CHECK(d.get_info<info::device::partition_max_sub_devices>() == 0 &&
        d.get_info<info::device::partition_properties>().empty());
  CHECK(d.get_info<info::device::partition_affinity_domains>().empty() &&
        d.get_info<info::device::partition_type_property>() == part::no_partition);
  CHECK(d.get_info<info::device::partition_type_affinity_domain>() == info::partition_affinity_domain::not_applicable);
  CHECK(d.get_info<info::device::is_compiler_available>() && d.has(aspect::online_linker));
  return report();
}
