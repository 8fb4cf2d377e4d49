// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// platform and device (SYCL 2020, sections 4.6.2 and 4.6.4). There is one of each: this CPU.
#ifndef UNWARP_SYCL_DEVICE_HPP
#define UNWARP_SYCL_DEVICE_HPP

#include <algorithm>

#include "detail/launch.hpp"
#include "detail/runtime.hpp"
#include "device_architecture.hpp"
#include "info.hpp"
#include "matrix.hpp"

namespace sycl {
inline namespace _V1 {

namespace ext::oneapi {
enum class peer_access { access_supported, atomics_supported };
}

class platform {
public:
  platform() = default;
  template <class Selector, class = std::enable_if_t<std::is_invocable_r_v<int, const Selector &, const device &>>>
  explicit platform(const Selector &selector);

  backend get_backend() const noexcept { return backend::unwarp; }
  std::vector<device> get_devices(info::device_type type = info::device_type::all) const;
  template <class Descriptor> typename Descriptor::return_type get_info() const {
    namespace ask = info::platform;
    if constexpr (std::is_same_v<Descriptor, ask::version>)
      return "SYCL 2020";
    else if constexpr (std::is_same_v<Descriptor, ask::name>)
      return "unwarp";
    else if constexpr (std::is_same_v<Descriptor, ask::vendor>)
      return "unwarp";
    else if constexpr (std::is_same_v<Descriptor, ask::profile>)
      return "FULL_PROFILE";
    else
      return {};
  }
  bool has(aspect) const;
  bool has_extension(const std::string &) const { return false; }
  bool is_host() const { return false; }
  context khr_get_default_context() const; // context.hpp
  context ext_oneapi_get_default_context() const;
  static std::vector<platform> get_platforms() { return std::vector<platform>(1); }

  friend bool operator==(const platform &, const platform &) { return true; }
  friend bool operator!=(const platform &, const platform &) { return false; }
};

class device {
public:
  device() = default;
  template <class Selector, class = std::enable_if_t<std::is_invocable_r_v<int, const Selector &, const device &>>>
  explicit device(const Selector &selector) {
    if (selector(*this) < 0)
      detail::fail(errc::runtime, "no device of the kind that the selector asks for: there is this CPU");
  }

  backend get_backend() const noexcept { return backend::unwarp; }
  bool is_cpu() const { return true; }
  bool is_gpu() const { return false; }
  bool is_accelerator() const { return false; }
  bool is_host() const { return false; }
  platform get_platform() const { return {}; }
  bool has(aspect wanted) const { return unwarp_has(wanted); }
  static constexpr bool unwarp_has(aspect wanted) {
    switch (wanted) {
    case aspect::cpu:
    case aspect::image:
    case aspect::fp16:
    case aspect::fp64:
    case aspect::atomic64:
    case aspect::online_compiler: // of bundles: their kernels are compiled
    case aspect::online_linker:
    case aspect::queue_profiling:
    case aspect::usm_device_allocations:
    case aspect::usm_host_allocations:
    case aspect::usm_atomic_host_allocations:
    case aspect::usm_shared_allocations:
    case aspect::usm_atomic_shared_allocations:
    case aspect::usm_system_allocations:
    case aspect(7): // int64_base_atomics and int64_extended_atomics, which name warns of
    case aspect(8):
    case aspect::ext_intel_free_memory:
    case aspect::ext_intel_matrix:
    case aspect::ext_oneapi_bfloat16_math_functions:
    case aspect::ext_oneapi_graph:
    case aspect::ext_oneapi_limited_graph:
    case aspect::ext_oneapi_native_assert:
    case aspect::ext_oneapi_virtual_mem:
    case aspect::ext_intel_legacy_image:
    case aspect::ext_oneapi_ballot_group:
    case aspect::ext_oneapi_fixed_size_group:
    case aspect::ext_oneapi_tangle_group:
    case aspect::ext_oneapi_opportunistic_group: return true;
    default: return false;
    }
  }
  bool has_extension(const std::string &) const { return false; }
  template <class Descriptor> typename Descriptor::return_type get_info() const;

  bool ext_oneapi_architecture_is(ext::oneapi::experimental::architecture which) const {
    return which == ext::oneapi::experimental::own::own_architecture;
  }
  bool ext_oneapi_architecture_is(ext::oneapi::experimental::arch_category which) const {
    return ext::oneapi::experimental::own::is_of(ext::oneapi::experimental::own::own_architecture, which);
  }

  // sycl_ext_oneapi_peer_access: there is no other device.
  bool ext_oneapi_can_access_peer(const device &,
                                  ext::oneapi::peer_access = ext::oneapi::peer_access::access_supported) const {
    return false;
  }
  void ext_oneapi_enable_peer_access(const device &) const {
    detail::fail(errc::invalid, "a device has no access to itself as its peer");
  }
  void ext_oneapi_disable_peer_access(const device &) const {
    detail::fail(errc::invalid, "a device has no access to itself as its peer");
  }
  template <info::partition_property Property> std::vector<device> create_sub_devices(std::size_t) const { no_parts(); }
  template <info::partition_property Property>
  std::vector<device> create_sub_devices(const std::vector<std::size_t> &) const {
    no_parts();
  }
  template <info::partition_property Property>
  std::vector<device> create_sub_devices(info::partition_affinity_domain) const {
    no_parts();
  }
  template <info::partition_property Property> std::vector<device> create_sub_devices() const { no_parts(); }
  static std::vector<device> get_devices(info::device_type type = info::device_type::all) {
    const bool wanted =
        type == info::device_type::all || type == info::device_type::cpu || type == info::device_type::automatic;
    return std::vector<device>(wanted ? 1 : 0);
  }

  friend bool operator==(const device &, const device &) { return true; }
  friend bool operator!=(const device &, const device &) { return false; }

private:
  static std::vector<aspect> all_aspects() {
    std::vector<aspect> found;
    for (aspect one : {
#define __SYCL_ASPECT(name, number) aspect::name,
#include "info/aspects.def"
#undef __SYCL_ASPECT
         })
      if (unwarp_has(one))
        found.push_back(one);
    return found;
  }
  [[noreturn]] static void no_parts() { detail::fail(errc::feature_not_supported, "the device has no sub-devices"); }
};

inline std::vector<device> platform::get_devices(info::device_type type) const { return device::get_devices(type); }
inline bool platform::has(aspect wanted) const { return device().has(wanted); }
template <class Selector, class> platform::platform(const Selector &selector) { device chosen(selector); }

namespace detail {
template <class T, class... Others> inline constexpr bool is_one_of = (std::is_same_v<T, Others> || ...);
}
template <class Descriptor> typename Descriptor::return_type device::get_info() const {
  namespace ask = info::device;
  using wanted = Descriptor;
  using answer = typename Descriptor::return_type;
#define __UW_IS(...) std::is_same_v<wanted, ask::__VA_ARGS__>
  if constexpr (__UW_IS(device_type))
    return info::device_type::cpu;
  else if constexpr (std::is_same_v<wanted, ext::oneapi::experimental::info::device::architecture>)
    return ext::oneapi::experimental::own::own_architecture;
  else if constexpr (__UW_IS(max_compute_units))
    return uwrt_sycl_cores();
  else if constexpr (__UW_IS(max_work_item_dimensions))
    return 3;
  else if constexpr (__UW_IS(max_work_item_sizes<1>) || __UW_IS(max_work_item_sizes<2>) ||
                     __UW_IS(max_work_item_sizes<3>))
    return answer::filled(detail::max_group_items);
  else if constexpr (__UW_IS(max_work_group_size))
    return detail::max_group_items;
  else if constexpr (__UW_IS(max_num_sub_groups))
    return detail::max_group_items / detail::sub_group_size;
  else if constexpr (__UW_IS(sub_group_sizes))
    return {detail::sub_group_size};
  else if constexpr (__UW_IS(preferred_vector_width_char) || __UW_IS(native_vector_width_char))
    return 16;
  else if constexpr (__UW_IS(preferred_vector_width_short) || __UW_IS(native_vector_width_short) ||
                     __UW_IS(preferred_vector_width_half) || __UW_IS(native_vector_width_half))
    return 8;
  else if constexpr (__UW_IS(preferred_vector_width_int) || __UW_IS(native_vector_width_int) ||
                     __UW_IS(preferred_vector_width_float) || __UW_IS(native_vector_width_float))
    return 4;
  else if constexpr (__UW_IS(preferred_vector_width_long) || __UW_IS(preferred_vector_width_long_long) ||
                     __UW_IS(native_vector_width_long_long) || __UW_IS(native_vector_width_long) ||
                     __UW_IS(preferred_vector_width_double) || __UW_IS(native_vector_width_double))
    return 2;
  else if constexpr (__UW_IS(max_clock_frequency))
    return uwrt_sycl_megahertz();
  else if constexpr (__UW_IS(address_bits))
    return 64;
  else if constexpr (__UW_IS(global_mem_size) || __UW_IS(max_mem_alloc_size) || __UW_IS(max_constant_buffer_size))
    return uwrt_sycl_memory();
  else if constexpr (__UW_IS(max_parameter_size))
    return 4096;
  else if constexpr (__UW_IS(mem_base_addr_align))
    return 1024;
  else if constexpr (__UW_IS(half_fp_config) || __UW_IS(single_fp_config) || __UW_IS(double_fp_config))
    return {info::fp_config::denorm, info::fp_config::inf_nan, info::fp_config::round_to_nearest, info::fp_config::fma,
            info::fp_config::correctly_rounded_divide_sqrt};
  else if constexpr (__UW_IS(global_mem_cache_type))
    return info::global_mem_cache_type::read_write;
  else if constexpr (__UW_IS(global_mem_cache_line_size))
    return 64;
  else if constexpr (__UW_IS(global_mem_cache_size))
    return uwrt_sycl_cache_bytes();
  else if constexpr (__UW_IS(max_constant_args))
    return 64;
  else if constexpr (__UW_IS(local_mem_type))
    return info::local_mem_type::global;
  else if constexpr (__UW_IS(local_mem_size))
    return detail::max_local_bytes;
  else if constexpr (__UW_IS(image2d_max_width) || __UW_IS(image2d_max_height) || __UW_IS(image3d_max_width) ||
                     __UW_IS(image3d_max_height) || __UW_IS(image3d_max_depth))
    return 16384;
  else if constexpr (__UW_IS(image_max_buffer_size))
    return std::size_t(1) << 27;
  else if constexpr (__UW_IS(max_read_image_args) || __UW_IS(max_write_image_args) || __UW_IS(max_samplers))
    return 128;
  else if constexpr (__UW_IS(image_support) || __UW_IS(host_unified_memory) || __UW_IS(is_endian_little) ||
                     __UW_IS(is_available) || __UW_IS(is_compiler_available) || __UW_IS(is_linker_available) ||
                     __UW_IS(queue_profiling) || __UW_IS(usm_device_allocations) || __UW_IS(usm_host_allocations) ||
                     __UW_IS(usm_shared_allocations) || __UW_IS(usm_system_allocations) ||
                     __UW_IS(preferred_interop_user_sync))
    return true;
  else if constexpr (__UW_IS(profiling_timer_resolution))
    return 1;
  else if constexpr (__UW_IS(execution_capabilities))
    return {info::execution_capability::exec_kernel};
  else if constexpr (__UW_IS(name))
    return uwrt_sycl_cpu_name();
  else if constexpr (__UW_IS(vendor))
    return "unwarp";
  else if constexpr (__UW_IS(driver_version) || __UW_IS(version) || __UW_IS(backend_version))
    return "1.0";
  else if constexpr (__UW_IS(profile))
    return "FULL_PROFILE";
  else if constexpr (__UW_IS(printf_buffer_size))
    return 1 << 20;
  else if constexpr (__UW_IS(parent_device))
    detail::fail(errc::invalid, "the device is no sub-device");
  else if constexpr (__UW_IS(partition_type_property))
    return info::partition_property::no_partition;
  else if constexpr (__UW_IS(partition_type_affinity_domain))
    return info::partition_affinity_domain::not_applicable;
  else if constexpr (__UW_IS(reference_count))
    return 1;
  else if constexpr (__UW_IS(aspects))
    return all_aspects();
  else if constexpr (__UW_IS(atomic_memory_order_capabilities) || __UW_IS(atomic_fence_order_capabilities))
    return {memory_order::relaxed, memory_order::acquire, memory_order::release, memory_order::acq_rel,
            memory_order::seq_cst};
  else if constexpr (__UW_IS(atomic_memory_scope_capabilities) || __UW_IS(atomic_fence_scope_capabilities))
    return {memory_scope::work_item, memory_scope::sub_group, memory_scope::work_group, memory_scope::device,
            memory_scope::system};
#undef __UW_IS
  else if constexpr (std::is_same_v<wanted, ext::oneapi::info::device::num_compute_units>)
    return uwrt_sycl_cores();
  else if constexpr (std::is_same_v<wanted, ext::oneapi::experimental::info::device::max_global_work_groups>)
    return std::size_t(0x7fffffff);
  else if constexpr (std::is_same_v<wanted, ext::oneapi::experimental::info::device::max_work_groups<1>> ||
                     std::is_same_v<wanted, ext::oneapi::experimental::info::device::max_work_groups<2>> ||
                     std::is_same_v<wanted, ext::oneapi::experimental::info::device::max_work_groups<3>>)
    return answer::filled(0x7fffffff);
  else if constexpr (std::is_same_v<wanted, ext::oneapi::experimental::info::device::matrix_combinations>)
    return detail::matrix_combinations();
  else if constexpr (std::is_same_v<wanted, ext::intel::info::device::free_memory>)
    return uwrt_sycl_free_memory();
  else if constexpr (detail::is_one_of<wanted, ext::intel::info::device::memory_clock_rate,
                                       ext::intel::info::device::memory_bus_width,
                                       ext::intel::info::device::max_mem_bandwidth>)
    detail::fail(errc::feature_not_supported, "nothing is known of the memory's clock and bus");
  else if constexpr (detail::is_one_of<wanted, ext::intel::info::device::device_id,
                                       ext::intel::info::device::pci_address, ext::intel::info::device::uuid>)
    detail::fail(errc::feature_not_supported, "the CPU has no number as a device of a bus has");
  else if constexpr (detail::is_one_of<
                         wanted, ext::intel::info::device::gpu_eu_count, ext::intel::info::device::gpu_eu_simd_width,
                         ext::intel::info::device::gpu_slices, ext::intel::info::device::gpu_subslices_per_slice,
                         ext::intel::info::device::gpu_eu_count_per_subslice,
                         ext::intel::info::device::gpu_hw_threads_per_eu>)
    detail::fail(errc::feature_not_supported,
                 "the device is a CPU, of which a GPU's parts are asked: ask for the aspect");
  else
    return answer();
}

// --- selectors (SYCL 2020, section 4.6.1.1) --------------------------------------------------------------------------
//
// Programs ask for a GPU because that is where they expect their kernels; here the kernels' processor is this CPU, and
// that is what they get.
struct default_selector {
  int operator()(const device &) const { return 1; }
};
struct cpu_selector : default_selector {};
struct gpu_selector : default_selector {};
struct accelerator_selector : default_selector {};
struct host_selector : default_selector {};
class device_selector {
public:
  virtual ~device_selector() = default;
  virtual int operator()(const device &) const = 0;
  device select_device() const { return device(*this); }
};
inline constexpr default_selector default_selector_v{};
inline constexpr cpu_selector cpu_selector_v{};
inline constexpr gpu_selector gpu_selector_v{};
inline constexpr accelerator_selector accelerator_selector_v{};

// sycl_ext_oneapi_filter_selector: triples of a back end, a type and a number, or some of these, as
// "level_zero:gpu,cpu:0". As with other selectors, what is asked for as a GPU is this CPU.
namespace ext::oneapi {
class filter_selector {
public:
  filter_selector(const std::string &filters) {
    for (std::size_t at = 0; at <= filters.size();) {
      const std::size_t end = std::min(filters.find(',', at), filters.size());
      fits |= take(filters.substr(at, end - at));
      at = end + 1;
    }
  }
  int operator()(const device &) const { return fits ? 1 : -1; }
  device select_device() const { return device(*this); }

private:
  // Whether the triple's number is that of the one device.
  static bool take(const std::string &triple) {
    static const char *const known[] = {"opencl", "level_zero", "cuda", "hip", "native_cpu", "unwarp",
                                        "host",   "*",          "cpu",  "gpu", "acc",        "accelerator"};
    bool is_first = true;
    for (std::size_t at = 0; at <= triple.size();) {
      const std::size_t end = std::min(triple.find(':', at), triple.size());
      const std::string word = triple.substr(at, end - at);
      at = end + 1;
      if (!word.empty() && word.find_first_not_of("0123456789") == std::string::npos) {
        if (at <= triple.size())
          detail::fail(errc::runtime, "the number stands last in a device filter");
        return word.find_first_not_of('0') == std::string::npos;
      }
      bool found = false;
      for (const char *one : known)
        found |= word == one;
      if (!found)
        detail::fail(errc::runtime, "a device filter is back end:type:number, as in \"cpu\" or \"*:gpu:0\"");
      is_first = false;
    }
    return !is_first;
  }
  bool fits = false;
};
} // namespace ext::oneapi
#define SYCL_EXT_ONEAPI_FILTER_SELECTOR 1

inline auto aspect_selector(const std::vector<aspect> &wanted, const std::vector<aspect> &denied = {}) {
  return [=](const device &candidate) {
    for (aspect one : wanted)
      if (!candidate.has(one))
        return -1;
    for (aspect one : denied)
      if (candidate.has(one))
        return -1;
    return 1;
  };
}
// No {}: that is a list.
template <class... Aspects, class = std::enable_if_t<(std::is_same_v<Aspects, aspect> && ...)>>
auto aspect_selector(Aspects... wanted) {
  return aspect_selector(std::vector<aspect>{wanted...});
}
template <aspect First, aspect... Rest> auto aspect_selector() {
  return aspect_selector(std::vector<aspect>{First, Rest...});
}

// All devices are this one.
template <aspect Aspect> struct any_device_has : std::bool_constant<device::unwarp_has(Aspect)> {};
template <aspect Aspect> struct all_devices_have : any_device_has<Aspect> {};
template <aspect Aspect> inline constexpr bool any_device_has_v = any_device_has<Aspect>::value;
template <aspect Aspect> inline constexpr bool all_devices_have_v = all_devices_have<Aspect>::value;

} // namespace _V1
} // namespace sycl

template <> struct std::hash<sycl::device> {
  std::size_t operator()(const sycl::device &) const { return 1; }
};
template <> struct std::hash<sycl::platform> {
  std::size_t operator()(const sycl::platform &) const { return 1; }
};
#endif
