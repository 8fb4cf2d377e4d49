// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::ext::oneapi::experimental::device_global: a variable of namespace scope that kernels and the host share. The
// compiler knows it by the name of this class (compiler/frontend/sycl/variables.c).
#ifndef UNWARP_SYCL_DEVICE_GLOBAL_HPP
#define UNWARP_SYCL_DEVICE_GLOBAL_HPP

#include "queue.hpp"

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {

struct device_image_scope_key {};
struct host_access_key {};
template <class... Properties> struct properties_of {};
inline constexpr int device_image_scope = 0;

template <class T, class Properties = void> class device_global {
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

  void *unwarp_storage() noexcept { return &value; }

private:
  std::remove_const_t<T> value{}; // queues write it, also where kernels may not
};

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
#endif
