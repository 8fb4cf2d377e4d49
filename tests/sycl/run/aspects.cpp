// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of aspects, which programs include: names and numbers, and that what the device says of them agrees.
// flags: -Wno-deprecated-declarations
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstring>

#include "check.hpp"

using namespace sycl;

struct row {
  const char *name;
  aspect value;
  int number;
};
static const row rows[] = {
#define __SYCL_ASPECT(name, number) {#name, aspect::name, number},
#define __SYCL_ASPECT_DEPRECATED(name, number, text) {#name, aspect::name, number},
#define __SYCL_ASPECT_DEPRECATED_ALIAS(name, other, text) {#name, aspect::name, int(aspect::other)},
#include <sycl/info/aspects.def>
#include <sycl/info/aspects_deprecated.def>
#undef __SYCL_ASPECT
#undef __SYCL_ASPECT_DEPRECATED
#undef __SYCL_ASPECT_DEPRECATED_ALIAS
};
static const row *find(const char *name) {
  for (const row &one : rows)
    if (!std::strcmp(one.name, name))
      return &one;
  return nullptr;
}
template <aspect... Wanted> constexpr bool has_each() { return (any_device_has_v<Wanted> && ...); }

// What the aspect is for throws where the device has not got it.
template <class Query> bool is_refused(const device &d) {
  try {
    d.get_info<Query>();
  } catch (const exception &e) {
    return e.code() == errc::feature_not_supported;
  }
  return false;
}

int main() {
  device d;
  const std::vector<aspect> has = d.get_info<info::device::aspects>();
  for (const row &one : rows) {
    CHECK(int(one.value) == one.number);
    const bool listed = std::find(has.begin(), has.end(), one.value) != has.end();
    if (std::strncmp(one.name, "int64_", 6)) // the list has no old names
      CHECK(listed == d.has(one.value));
    CHECK(d.get_platform().has(one.value) == d.has(one.value));
  }
  for (const char *name :
       {"cpu", "fp16", "fp64", "atomic64", "image", "queue_profiling", "usm_system_allocations", "usm_system_allocator",
        "ext_intel_free_memory", "ext_oneapi_limited_graph", "ext_oneapi_virtual_mem", "ext_intel_matrix"})
    CHECK(find(name) && d.has(find(name)->value));
  for (const char *name : {"gpu", "custom", "emulated", "ext_intel_esimd", "ext_intel_device_id",
                           "ext_intel_gpu_eu_count", "ext_oneapi_bindless_images"})
    CHECK(find(name) && !d.has(find(name)->value));
  CHECK(d.has(aspect::int64_base_atomics) && d.has(aspect::int64_extended_atomics));
  CHECK(find("fp64")->number == 6 && find("ext_intel_memory_bus_width")->number == 39); // DPC++'s
  static_assert(has_each<aspect::ext_intel_free_memory, aspect::ext_oneapi_graph>());
  // what an aspect promises
  CHECK(d.get_info<ext::intel::info::device::free_memory>() > 0);
  namespace ask = ext::intel::info::device;
  CHECK(is_refused<ask::device_id>(d) && is_refused<ask::pci_address>(d) && is_refused<ask::uuid>(d));
  CHECK(is_refused<ask::gpu_slices>(d) && is_refused<ask::gpu_subslices_per_slice>(d) &&
        is_refused<ask::gpu_eu_count>(d));
  CHECK(is_refused<ask::gpu_eu_count_per_subslice>(d) && is_refused<ask::gpu_eu_simd_width>(d));
  CHECK(is_refused<ask::gpu_hw_threads_per_eu>(d) && is_refused<ask::memory_clock_rate>(d));
  CHECK(is_refused<ask::memory_bus_width>(d) && is_refused<ask::max_mem_bandwidth>(d));
  return report();
}
