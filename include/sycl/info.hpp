// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What devices, platforms, contexts, queues, events and kernels can be asked (SYCL 2020, section 4.6 and appendix A).
// Each descriptor names the type of its answer.
#ifndef UNWARP_SYCL_INFO_HPP
#define UNWARP_SYCL_INFO_HPP

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "access.hpp"
#include "range.hpp"

#define SYCL_EXT_ONEAPI_MAX_WORK_GROUP_QUERY 1
#define SYCL_EXT_ONEAPI_NUM_COMPUTE_UNITS 1

namespace sycl {
inline namespace _V1 {

class device;
class platform;
class context;
class kernel_id;
template <int> class id;
enum class aspect;
enum class backend : char {
  host,
  opencl,
  ext_oneapi_level_zero,
  ext_oneapi_cuda,
  ext_oneapi_hip,
  ext_oneapi_native_cpu,
  all,
  unwarp
};
template <class Traits> // as DPC++ writes them
std::basic_ostream<char, Traits> &operator<<(std::basic_ostream<char, Traits> &out, backend which) {
  static constexpr const char *names[] = {
      "host", "opencl", "ext_oneapi_level_zero", "ext_oneapi_cuda", "ext_oneapi_hip", "ext_oneapi_native_cpu",
      "all",  "unwarp"};
  return out << names[int(which)];
}

namespace info {

enum class device_type : unsigned { cpu, gpu, accelerator, custom, automatic, host, all };
enum class partition_property : int {
  no_partition,
  partition_equally,
  partition_by_counts,
  partition_by_affinity_domain
};
enum class partition_affinity_domain : int {
  not_applicable,
  numa,
  L4_cache,
  L3_cache,
  L2_cache,
  L1_cache,
  next_partitionable
};
enum class local_mem_type : int { none, local, global };
enum class fp_config : int {
  denorm,
  inf_nan,
  round_to_nearest,
  round_to_zero,
  round_to_inf,
  fma,
  correctly_rounded_divide_sqrt,
  soft_float
};
enum class global_mem_cache_type : int { none, read_only, read_write };
enum class execution_capability : unsigned { exec_kernel, exec_native_kernel };
enum class event_command_status : int { submitted, running, complete };

#define __UW_INFO(name, type)                                                                                          \
  struct name {                                                                                                        \
    using return_type = type;                                                                                          \
  };
namespace platform {
__UW_INFO(version, std::string)
__UW_INFO(name, std::string)
__UW_INFO(vendor, std::string)
__UW_INFO(profile, std::string)
__UW_INFO(extensions, std::vector<std::string>)
} // namespace platform

namespace context {
__UW_INFO(platform, sycl::platform)
__UW_INFO(devices, std::vector<sycl::device>)
__UW_INFO(atomic_memory_order_capabilities, std::vector<sycl::memory_order>)
__UW_INFO(atomic_fence_order_capabilities, std::vector<sycl::memory_order>)
__UW_INFO(atomic_memory_scope_capabilities, std::vector<sycl::memory_scope>)
__UW_INFO(atomic_fence_scope_capabilities, std::vector<sycl::memory_scope>)
} // namespace context

namespace queue {
__UW_INFO(context, sycl::context)
__UW_INFO(device, sycl::device)
} // namespace queue

namespace event {
__UW_INFO(command_execution_status, event_command_status)
__UW_INFO(reference_count, std::uint32_t)
} // namespace event
namespace event_profiling {
__UW_INFO(command_submit, std::uint64_t)
__UW_INFO(command_start, std::uint64_t)
__UW_INFO(command_end, std::uint64_t)
} // namespace event_profiling

namespace kernel {
__UW_INFO(num_args, std::uint32_t)
__UW_INFO(attributes, std::string)
__UW_INFO(function_name, std::string)
} // namespace kernel
namespace kernel_device_specific {
__UW_INFO(global_work_size, sycl::range<3>)
__UW_INFO(work_group_size, std::size_t)
__UW_INFO(compile_work_group_size, sycl::range<3>)
__UW_INFO(preferred_work_group_size_multiple, std::size_t)
__UW_INFO(private_mem_size, std::size_t)
__UW_INFO(max_num_sub_groups, std::uint32_t)
__UW_INFO(compile_num_sub_groups, std::uint32_t)
__UW_INFO(max_sub_group_size, std::uint32_t)
__UW_INFO(compile_sub_group_size, std::uint32_t)
} // namespace kernel_device_specific

namespace device {
__UW_INFO(device_type, info::device_type)
__UW_INFO(vendor_id, std::uint32_t)
__UW_INFO(max_compute_units, std::uint32_t)
__UW_INFO(max_work_item_dimensions, std::uint32_t)
template <int D = 3> struct max_work_item_sizes {
  using return_type = sycl::range<D>;
};
__UW_INFO(max_work_group_size, std::size_t)
__UW_INFO(max_num_sub_groups, std::uint32_t)
__UW_INFO(sub_group_sizes, std::vector<std::size_t>)
__UW_INFO(sub_group_independent_forward_progress, bool)
__UW_INFO(preferred_vector_width_char, std::uint32_t)
__UW_INFO(preferred_vector_width_short, std::uint32_t)
__UW_INFO(preferred_vector_width_int, std::uint32_t)
__UW_INFO(preferred_vector_width_long, std::uint32_t)
__UW_INFO(preferred_vector_width_float, std::uint32_t)
__UW_INFO(preferred_vector_width_double, std::uint32_t)
__UW_INFO(preferred_vector_width_half, std::uint32_t)
__UW_INFO(preferred_vector_width_long_long, std::uint32_t)
__UW_INFO(native_vector_width_long_long, std::uint32_t)
__UW_INFO(native_vector_width_char, std::uint32_t)
__UW_INFO(native_vector_width_short, std::uint32_t)
__UW_INFO(native_vector_width_int, std::uint32_t)
__UW_INFO(native_vector_width_long, std::uint32_t)
__UW_INFO(native_vector_width_float, std::uint32_t)
__UW_INFO(native_vector_width_double, std::uint32_t)
__UW_INFO(native_vector_width_half, std::uint32_t)
__UW_INFO(max_clock_frequency, std::uint32_t)
__UW_INFO(address_bits, std::uint32_t)
__UW_INFO(max_mem_alloc_size, std::uint64_t)
__UW_INFO(image_support, bool)
__UW_INFO(max_read_image_args, std::uint32_t)
__UW_INFO(max_write_image_args, std::uint32_t)
__UW_INFO(image2d_max_width, std::size_t)
__UW_INFO(image2d_max_height, std::size_t)
__UW_INFO(image3d_max_width, std::size_t)
__UW_INFO(image3d_max_height, std::size_t)
__UW_INFO(image3d_max_depth, std::size_t)
__UW_INFO(image_max_buffer_size, std::size_t)
__UW_INFO(max_samplers, std::uint32_t)
__UW_INFO(max_parameter_size, std::size_t)
__UW_INFO(mem_base_addr_align, std::uint32_t)
__UW_INFO(half_fp_config, std::vector<info::fp_config>)
__UW_INFO(single_fp_config, std::vector<info::fp_config>)
__UW_INFO(double_fp_config, std::vector<info::fp_config>)
__UW_INFO(global_mem_cache_type, info::global_mem_cache_type)
__UW_INFO(global_mem_cache_line_size, std::uint32_t)
__UW_INFO(global_mem_cache_size, std::uint64_t)
__UW_INFO(global_mem_size, std::uint64_t)
__UW_INFO(max_constant_buffer_size, std::uint64_t)
__UW_INFO(max_constant_args, std::uint32_t)
__UW_INFO(local_mem_type, info::local_mem_type)
__UW_INFO(local_mem_size, std::uint64_t)
__UW_INFO(error_correction_support, bool)
__UW_INFO(host_unified_memory, bool)
__UW_INFO(profiling_timer_resolution, std::size_t)
__UW_INFO(is_endian_little, bool)
__UW_INFO(is_available, bool)
__UW_INFO(is_compiler_available, bool)
__UW_INFO(is_linker_available, bool)
__UW_INFO(execution_capabilities, std::vector<info::execution_capability>)
__UW_INFO(queue_profiling, bool)
__UW_INFO(built_in_kernels, std::vector<std::string>)
__UW_INFO(built_in_kernel_ids, std::vector<sycl::kernel_id>)
__UW_INFO(platform, sycl::platform)
__UW_INFO(name, std::string)
__UW_INFO(vendor, std::string)
__UW_INFO(driver_version, std::string)
__UW_INFO(profile, std::string)
__UW_INFO(version, std::string)
__UW_INFO(backend_version, std::string)
__UW_INFO(opencl_c_version, std::string)
__UW_INFO(aspects, std::vector<sycl::aspect>)
__UW_INFO(extensions, std::vector<std::string>)
__UW_INFO(printf_buffer_size, std::size_t)
__UW_INFO(preferred_interop_user_sync, bool)
__UW_INFO(parent_device, sycl::device)
__UW_INFO(partition_max_sub_devices, std::uint32_t)
__UW_INFO(partition_properties, std::vector<info::partition_property>)
__UW_INFO(partition_affinity_domains, std::vector<info::partition_affinity_domain>)
__UW_INFO(partition_type_property, info::partition_property)
__UW_INFO(partition_type_affinity_domain, info::partition_affinity_domain)
__UW_INFO(reference_count, std::uint32_t)
__UW_INFO(atomic_memory_order_capabilities, std::vector<sycl::memory_order>)
__UW_INFO(atomic_fence_order_capabilities, std::vector<sycl::memory_order>)
__UW_INFO(atomic_memory_scope_capabilities, std::vector<sycl::memory_scope>)
__UW_INFO(atomic_fence_scope_capabilities, std::vector<sycl::memory_scope>)
__UW_INFO(usm_device_allocations, bool)
__UW_INFO(usm_host_allocations, bool)
__UW_INFO(usm_shared_allocations, bool)
__UW_INFO(usm_system_allocations, bool)
} // namespace device
} // namespace info

// What extensions ask (sycl_ext_oneapi_max_work_group_query, sycl_ext_oneapi_num_compute_units,
// sycl_ext_intel_device_info).
namespace ext::oneapi::info::device {
__UW_INFO(num_compute_units, std::size_t)
} // namespace ext::oneapi::info::device
namespace ext::oneapi::experimental::info::device {
__UW_INFO(max_global_work_groups, std::size_t)
template <int D> struct max_work_groups {
  using return_type = sycl::id<D>;
};
} // namespace ext::oneapi::experimental::info::device
namespace ext::intel::info::device {
__UW_INFO(free_memory, std::uint64_t)
__UW_INFO(memory_clock_rate, std::uint32_t)
__UW_INFO(memory_bus_width, std::uint32_t)
__UW_INFO(device_id, std::uint32_t)
__UW_INFO(pci_address, std::string)
using uuid_bytes = std::array<unsigned char, 16>;
__UW_INFO(uuid, uuid_bytes)
__UW_INFO(max_mem_bandwidth, std::uint64_t)
__UW_INFO(gpu_eu_count, std::uint32_t)
__UW_INFO(gpu_eu_simd_width, std::uint32_t)
__UW_INFO(gpu_slices, std::uint32_t)
__UW_INFO(gpu_subslices_per_slice, std::uint32_t)
__UW_INFO(gpu_eu_count_per_subslice, std::uint32_t)
__UW_INFO(gpu_hw_threads_per_eu, std::uint32_t)
} // namespace ext::intel::info::device
#undef __UW_INFO

// Their older names in DPC++.
namespace info::device {
using ext_intel_pci_address = ext::intel::info::device::pci_address;
using ext_intel_gpu_eu_count = ext::intel::info::device::gpu_eu_count;
using ext_intel_gpu_eu_simd_width = ext::intel::info::device::gpu_eu_simd_width;
using ext_intel_gpu_slices = ext::intel::info::device::gpu_slices;
using ext_intel_gpu_subslices_per_slice = ext::intel::info::device::gpu_subslices_per_slice;
using ext_intel_gpu_eu_count_per_subslice = ext::intel::info::device::gpu_eu_count_per_subslice;
using ext_intel_gpu_hw_threads_per_eu = ext::intel::info::device::gpu_hw_threads_per_eu;
using ext_intel_max_mem_bandwidth = ext::intel::info::device::max_mem_bandwidth;
using ext_oneapi_max_global_work_groups = ext::oneapi::experimental::info::device::max_global_work_groups;
using ext_oneapi_max_work_groups_1d = ext::oneapi::experimental::info::device::max_work_groups<1>;
using ext_oneapi_max_work_groups_2d = ext::oneapi::experimental::info::device::max_work_groups<2>;
using ext_oneapi_max_work_groups_3d = ext::oneapi::experimental::info::device::max_work_groups<3>;
} // namespace info::device

enum class aspect {
#define __SYCL_ASPECT(name, number) name = number,
#define __SYCL_ASPECT_DEPRECATED(name, number, advice) name [[deprecated(advice)]] = number,
#define __SYCL_ASPECT_DEPRECATED_ALIAS(name, other, advice) name [[deprecated(advice)]] = other,
#include "info/aspects.def"
#include "info/aspects_deprecated.def"
#undef __SYCL_ASPECT
#undef __SYCL_ASPECT_DEPRECATED
#undef __SYCL_ASPECT_DEPRECATED_ALIAS
};

} // namespace _V1
} // namespace sycl
#endif
