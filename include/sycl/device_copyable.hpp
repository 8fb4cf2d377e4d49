// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::is_device_copyable (SYCL 2020, section 3.13.1). Programs specialise it; kernels' objects are copied byte by
// byte in any case.
#ifndef UNWARP_SYCL_DEVICE_COPYABLE_HPP
#define UNWARP_SYCL_DEVICE_COPYABLE_HPP

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sycl {
inline namespace _V1 {

template <class T> struct is_device_copyable : std::is_trivially_copyable<T> {};
template <class T> struct is_device_copyable<const T> : is_device_copyable<T> {};
template <class T, std::size_t N> struct is_device_copyable<std::array<T, N>> : is_device_copyable<T> {};
template <class A, class B>
struct is_device_copyable<std::pair<A, B>>
    : std::bool_constant<is_device_copyable<A>::value && is_device_copyable<B>::value> {};
template <class... T>
struct is_device_copyable<std::tuple<T...>> : std::bool_constant<(is_device_copyable<T>::value && ...)> {};
template <class T> inline constexpr bool is_device_copyable_v = is_device_copyable<T>::value;

} // namespace _V1
} // namespace sycl
#endif
