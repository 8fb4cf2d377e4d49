// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Function objects and their identities (SYCL 2020, sections 4.17.2 and 4.9.2.1).
#ifndef UNWARP_SYCL_FUNCTIONAL_HPP
#define UNWARP_SYCL_FUNCTIONAL_HPP

#include <functional>
#include <limits>

#include "integer_functions.hpp"

namespace sycl {
inline namespace _V1 {

template <class T = void> using plus = std::plus<T>;
template <class T = void> using multiplies = std::multiplies<T>;
template <class T = void> using bit_and = std::bit_and<T>;
template <class T = void> using bit_or = std::bit_or<T>;
template <class T = void> using bit_xor = std::bit_xor<T>;
template <class T = void> using logical_and = std::logical_and<T>;
template <class T = void> using logical_or = std::logical_or<T>;
template <class T = void> struct minimum {
  constexpr T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <> struct minimum<void> {
  using is_transparent = void;
  template <class A, class B> constexpr auto operator()(const A &a, const B &b) const {
    if constexpr (detail::any_sequence<A, B>)
      return sycl::min(a, b);
    else
      return std::decay_t<decltype(false ? a : b)>(b < a ? b : a);
  }
};
template <class T = void> struct maximum {
  constexpr T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <> struct maximum<void> {
  using is_transparent = void;
  template <class A, class B> constexpr auto operator()(const A &a, const B &b) const {
    if constexpr (detail::any_sequence<A, B>)
      return sycl::max(a, b);
    else
      return std::decay_t<decltype(false ? a : b)>(a < b ? b : a);
  }
};

namespace detail {

enum class operation { other, add, multiply, bits_and, bits_or, bits_xor, both, either, least, most };
template <class Op> struct operation_of {
  static constexpr operation value = operation::other;
};
#define __UW_OPERATION(type, name)                                                                                     \
  template <class T> struct operation_of<type<T>> {                                                                    \
    static constexpr operation value = operation::name;                                                                \
  };
__UW_OPERATION(std::plus, add)
__UW_OPERATION(std::multiplies, multiply)
__UW_OPERATION(std::bit_and, bits_and)
__UW_OPERATION(std::bit_or, bits_or)
__UW_OPERATION(std::bit_xor, bits_xor)
__UW_OPERATION(std::logical_and, both)
__UW_OPERATION(std::logical_or, either)
__UW_OPERATION(minimum, least)
__UW_OPERATION(maximum, most)
#undef __UW_OPERATION

template <class T> constexpr T identity_of(operation what) {
  using limits = std::numeric_limits<T>;
  switch (what) {
  case operation::multiply:
  case operation::both: return T(1);
  case operation::bits_and:
    if constexpr (std::is_integral_v<T>)
      return T(~T(0));
    else
      return T(0);
  case operation::least: return limits::has_infinity ? limits::infinity() : limits::max();
  case operation::most: return limits::has_infinity ? T(-limits::infinity()) : limits::lowest();
  default: return T(0);
  }
}
template <class Op, class T> constexpr bool knows_identity() {
  constexpr operation what = operation_of<Op>::value;
  if constexpr (is_number<T>)
    return what != operation::other;
  else
    return is_sequence<T> && (what == operation::add || what == operation::multiply);
}

} // namespace detail

template <class Op, class T>
struct has_known_identity : std::bool_constant<detail::knows_identity<Op, std::remove_cv_t<T>>()> {};
template <class Op, class T> inline constexpr bool has_known_identity_v = has_known_identity<Op, T>::value;
template <class Op, class T> struct known_identity {
  static constexpr std::remove_cv_t<T> value = [] {
    using V = std::remove_cv_t<T>;
    if constexpr (detail::is_sequence<V>)
      return V(detail::identity_of<detail::element_type_of<V>>(detail::operation_of<Op>::value));
    else
      return detail::identity_of<V>(detail::operation_of<Op>::value);
  }();
};
template <class Op, class T> inline constexpr std::remove_cv_t<T> known_identity_v = known_identity<Op, T>::value;

} // namespace _V1
} // namespace sycl
#endif
