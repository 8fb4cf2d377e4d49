// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The enumerations of memory: access modes, targets, address spaces, memory orders and scopes (SYCL 2020, sections
// 4.7.6.2, 4.7.7,
// 3.8.3). bundle_state and the like stand with their classes.
#ifndef UNWARP_SYCL_ACCESS_HPP
#define UNWARP_SYCL_ACCESS_HPP

namespace sycl {
inline namespace _V1 {

enum class access_mode : int { read = 1024, write, read_write, discard_write, discard_read_write, atomic };
enum class target : int {
  global_buffer = 2014,
  constant_buffer,
  local,
  image,
  host_buffer,
  host_image,
  image_array,
  host_task,
  device = global_buffer
};

namespace access {
using mode = access_mode;
using sycl::target;
enum class address_space : int {
  private_space,
  global_space,
  constant_space,
  local_space,
  generic_space,
  ext_intel_global_device_space, // DPC++'s: memory of the device, and of the host
  ext_intel_global_host_space
};
enum class decorated : int { no, yes, legacy };
enum class placeholder : int { false_t, true_t };
enum class fence_space : char { local_space, global_space, global_and_local };
} // namespace access

enum class memory_order : int { relaxed, acquire, consume_unsupported, release, acq_rel, seq_cst };
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;

enum class memory_scope : int { work_item, sub_group, work_group, device, system };
inline constexpr memory_scope memory_scope_work_item = memory_scope::work_item;
inline constexpr memory_scope memory_scope_sub_group = memory_scope::sub_group;
inline constexpr memory_scope memory_scope_work_group = memory_scope::work_group;
inline constexpr memory_scope memory_scope_device = memory_scope::device;
inline constexpr memory_scope memory_scope_system = memory_scope::system;

// Tags that deduce an accessor's mode and target.
template <access_mode> struct mode_tag_t {};
template <access_mode, target> struct mode_target_tag_t {};
inline constexpr mode_tag_t<access_mode::read> read_only{};
inline constexpr mode_tag_t<access_mode::read_write> read_write{};
inline constexpr mode_tag_t<access_mode::write> write_only{};
inline constexpr mode_target_tag_t<access_mode::read, target::constant_buffer> read_constant{};
inline constexpr mode_target_tag_t<access_mode::read, target::host_task> read_only_host_task{};
inline constexpr mode_target_tag_t<access_mode::read_write, target::host_task> read_write_host_task{};
inline constexpr mode_target_tag_t<access_mode::write, target::host_task> write_only_host_task{};

} // namespace _V1
} // namespace sycl
#endif
