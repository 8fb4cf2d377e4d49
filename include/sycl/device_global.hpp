// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::ext::oneapi::experimental::device_global: a variable of namespace scope that kernels and the host share. The
// compiler knows it by the name of this class (compiler/frontend/sycl/variables.c).
#ifndef UNWARP_SYCL_DEVICE_GLOBAL_HPP
#define UNWARP_SYCL_DEVICE_GLOBAL_HPP

#include "multi_ptr.hpp"
#include "queue.hpp"

#define SYCL_EXT_ONEAPI_DEVICE_GLOBAL 1

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {

// What a program says of one (sycl_ext_oneapi_device_global). Host and kernels share the one variable whatever it says.
enum class host_access_enum : std::uint16_t { read, write, read_write, none };
enum class init_mode_enum : std::uint16_t { reprogram, reset };
struct device_image_scope_key {};
struct device_image_scope_value {
  using key_t = device_image_scope_key;
};
inline constexpr device_image_scope_value device_image_scope;
#define __UW_CHOICE(name, type)                                                                                        \
  struct name##_key {};                                                                                                \
  template <type Value> struct name##_value {                                                                          \
    using key_t = name##_key;                                                                                          \
    static constexpr type value = Value;                                                                               \
  };                                                                                                                   \
  template <type Value> inline constexpr name##_value<Value> name;
__UW_CHOICE(host_access, host_access_enum)
__UW_CHOICE(init_mode, init_mode_enum)
__UW_CHOICE(implement_in_csr, bool)
#undef __UW_CHOICE
inline constexpr host_access_value<host_access_enum::read> host_access_read;
inline constexpr host_access_value<host_access_enum::write> host_access_write;
inline constexpr host_access_value<host_access_enum::read_write> host_access_read_write;
inline constexpr host_access_value<host_access_enum::none> host_access_none;
inline constexpr init_mode_value<init_mode_enum::reprogram> init_mode_reprogram;
inline constexpr init_mode_value<init_mode_enum::reset> init_mode_reset;
inline constexpr implement_in_csr_value<true> implement_in_csr_on;
inline constexpr implement_in_csr_value<false> implement_in_csr_off;

template <class T, class Properties = empty_properties_t> class device_global {
public:
  using element_type = std::remove_extent_t<T>;
  constexpr device_global() = default;
  constexpr explicit device_global(const T &value) : value(value) {}
  template <class... Elements, class Array = T,
            class = std::enable_if_t<std::is_array_v<Array> && (sizeof...(Elements) > 0)>>
  constexpr device_global(const Elements &...elements)
      : value{std::remove_const_t<std::remove_extent_t<T>>(elements)...} {}
  device_global(const device_global &) = delete;
  device_global &operator=(const device_global &) = delete;

  T &get() noexcept { return value; }
  const T &get() const noexcept { return value; }
  operator T &() noexcept { return value; }
  operator const T &() const noexcept { return value; }
  device_global &operator=(const T &other) {
    value = other;
    return *this;
  }
  template <class U = T> auto &operator[](std::ptrdiff_t i) noexcept { return get()[i]; }
  template <class U = T> auto &operator[](std::ptrdiff_t i) const noexcept { return get()[i]; }
  T *operator->() noexcept { return &get(); }
  T *operator&() noexcept { return &get(); }
  template <access::decorated Decorated = access::decorated::no>
  multi_ptr<T, access::address_space::global_space, Decorated> get_multi_ptr() noexcept {
    return multi_ptr<T, access::address_space::global_space, Decorated>(&get());
  }
  template <class Key> static constexpr bool has_property() { return Properties::template has_property<Key>(); }
  template <class Key> static constexpr auto get_property() { return Properties().template get_property<Key>(); }

  void *unwarp_storage() noexcept { return &value; }

private:
  std::remove_const_t<T> value{}; // queues write it, also where kernels may not
};

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
#endif
