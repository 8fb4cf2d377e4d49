// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Geometric and relational functions (SYCL 2020, sections 4.17.8 and 4.17.9).
#ifndef UNWARP_SYCL_GEOMETRIC_HPP
#define UNWARP_SYCL_GEOMETRIC_HPP

#include "integer_functions.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {

template <class V> inline constexpr bool is_point = is_scalar_float<V> || holds_float<V>;
template <class V, class W, int... I>
__UW_INLINE auto dot_of(const V &v, const W &w, std::integer_sequence<int, I...>) {
  using T = element_type_of<V>;
  T sum = T(0);
  ((sum = T(sum + T(pick<I>(v)) * T(pick<I>(w)))), ...);
  return sum;
}
template <class V, int... I> __UW_INLINE bool any_of(const V &v, std::integer_sequence<int, I...>) {
  return (... || (pick<I>(v) < element_type_of<V>(0)));
}
template <class V, int... I> __UW_INLINE bool all_of(const V &v, std::integer_sequence<int, I...>) {
  return (... && (pick<I>(v) < element_type_of<V>(0)));
}

} // namespace detail

template <class V, class W, class = std::enable_if_t<detail::is_point<V> && detail::is_point<W>>>
__UW_INLINE auto dot(const V &v, const W &w) {
  return detail::dot_of(v, w, std::make_integer_sequence<int, detail::sequence_length<V>()>());
}
template <class V, class = std::enable_if_t<detail::is_point<V>>> __UW_INLINE auto length(const V &v) {
  return sycl::sqrt(sycl::dot(v, v));
}
template <class V, class W, class = std::enable_if_t<detail::is_point<V>>>
__UW_INLINE auto distance(const V &v, const W &w) {
  return sycl::length(v - w);
}
template <class V, class = std::enable_if_t<detail::is_point<V>>> __UW_INLINE auto normalize(const V &v) {
  return v * sycl::rsqrt(sycl::dot(v, v));
}
template <class V, class = std::enable_if_t<detail::is_point<V>>> __UW_INLINE auto fast_length(const V &v) {
  return sycl::length(v);
}
template <class V, class W, class = std::enable_if_t<detail::is_point<V>>>
__UW_INLINE auto fast_distance(const V &v, const W &w) {
  return sycl::distance(v, w);
}
template <class V, class = std::enable_if_t<detail::is_point<V>>> __UW_INLINE auto fast_normalize(const V &v) {
  return sycl::normalize(v);
}
template <class V, class W,
          class = std::enable_if_t<detail::holds_float<V> &&
                                   (detail::sequence_length<V>() == 3 || detail::sequence_length<V>() == 4) &&
                                   detail::sequence_length<V>() == detail::sequence_length<W>()>>
__UW_INLINE auto cross(const V &a, const W &b) {
  using T = detail::element_type_of<V>;
  const T x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  constexpr int count = detail::sequence_length<V>();
  using result = std::conditional_t<detail::is_vector<V>, vec<T, count>, marray<T, count>>;
  if constexpr (count == 3)
    return result(x, y, z);
  else
    return result(x, y, z, T(0));
}

// Scalars give bool, vectors all bits of an integer, marrays bool.
#define __UW_RELATION(T, name, parameters, ...)                                                                        \
  __UW_INLINE bool name parameters { return __VA_ARGS__; }
#define __UW_RELATION_1(name, ...)                                                                                     \
  __UW_RELATION(float, name, (float x), __VA_ARGS__)                                                                   \
  __UW_RELATION(double, name, (double x), __VA_ARGS__)                                                                 \
  __UW_RELATION(half, name, (half x), __VA_ARGS__)                                                                     \
  template <class V, class = std::enable_if_t<detail::holds_float<V>>, class = void> auto name(const V &v) {           \
    using S = detail::truth_of<detail::element_type_of<V>>;                                                            \
    if constexpr (detail::is_vector<V>)                                                                                \
      return detail::each_element([](auto x) { return S(-int(sycl::name(x))); }, v);                                   \
    else                                                                                                               \
      return detail::each_element([](auto x) { return sycl::name(x); }, v);                                            \
  }
#define __UW_RELATION_2(name, ...)                                                                                     \
  __UW_RELATION(float, name, (float x, float y), __VA_ARGS__)                                                          \
  __UW_RELATION(double, name, (double x, double y), __VA_ARGS__)                                                       \
  __UW_RELATION(half, name, (half x, half y), __VA_ARGS__)                                                             \
  template <class V, class W, class = std::enable_if_t<detail::holds_float<V>>, class = void>                          \
  auto name(const V &v, const W &w) {                                                                                  \
    using S = detail::truth_of<detail::element_type_of<V>>;                                                            \
    if constexpr (detail::is_vector<V>)                                                                                \
      return detail::each_element([](auto x, auto y) { return S(-int(sycl::name(x, y))); }, v, w);                     \
    else                                                                                                               \
      return detail::each_element([](auto x, auto y) { return sycl::name(x, y); }, v, w);                              \
  }
__UW_RELATION_1(isfinite, bool(__builtin_isfinite(double(x))))
__UW_RELATION_1(isinf, bool(__builtin_isinf(double(x))))
__UW_RELATION_1(isnan, x != x)
namespace detail {
// The least number that is no denormal one.
__UW_INLINE double least_normal(float) { return 0x1p-126; }
__UW_INLINE double least_normal(double) { return 0x1p-1022; }
__UW_INLINE double least_normal(half) { return 0x1p-14; }
} // namespace detail
__UW_RELATION_1(isnormal, bool(__builtin_isfinite(double(x))) && __builtin_fabs(double(x)) >= detail::least_normal(x))
__UW_RELATION_1(signbit, bool(__builtin_signbit(double(x))))
__UW_RELATION_2(isequal, x == y)
__UW_RELATION_2(isnotequal, x != y)
__UW_RELATION_2(isgreater, x > y)
__UW_RELATION_2(isgreaterequal, x >= y)
__UW_RELATION_2(isless, x < y)
__UW_RELATION_2(islessequal, x <= y)
__UW_RELATION_2(islessgreater, x<y || x> y)
__UW_RELATION_2(isordered, x == x && y == y)
__UW_RELATION_2(isunordered, x != x || y != y)
#undef __UW_RELATION
#undef __UW_RELATION_1
#undef __UW_RELATION_2

// By the highest bit of each element, and by truth for marrays of bool.
namespace detail {
template <class V> using truth_of_all = std::conditional_t<is_vector<V>, int, bool>;
}
template <class V> __UW_INLINE detail::truth_of_all<V> any(const V &v) {
  if constexpr (!detail::is_sequence<V>)
    return v < V(0);
  else if constexpr (std::is_same_v<detail::element_type_of<V>, bool>) {
    for (bool each : v)
      if (each)
        return true;
    return false;
  } else
    return detail::any_of(v, std::make_integer_sequence<int, detail::sequence_length<V>()>());
}
template <class V> __UW_INLINE detail::truth_of_all<V> all(const V &v) {
  if constexpr (!detail::is_sequence<V>)
    return v < V(0);
  else if constexpr (std::is_same_v<detail::element_type_of<V>, bool>) {
    for (bool each : v)
      if (!each)
        return false;
    return true;
  } else
    return detail::all_of(v, std::make_integer_sequence<int, detail::sequence_length<V>()>());
}

// c ? b : a, with c's highest bit for vectors.
template <class T, class C, class = std::enable_if_t<detail::is_number<T> && (std::is_integral_v<C>)>>
__UW_INLINE T select(T a, T b, C c) {
  return c ? b : a;
}
template <class V, class W, class C,
          class = std::enable_if_t<detail::is_vector<V> && detail::is_vector<W> && detail::is_vector<C>>, class = void>
__UW_INLINE auto select(const V &a, const W &b, const C &c) {
  using T = detail::element_type_of<V>;
  using S = std::make_signed_t<detail::element_type_of<C>>;
  return detail::each_element([](auto x, auto y, auto z) { return S(z) < S(0) ? T(y) : T(x); }, a, b, c);
}
template <class T, std::size_t N>
marray<T, N> select(const marray<T, N> &a, const marray<T, N> &b, const marray<bool, N> &c) {
  return detail::each_element([](auto x, auto y, auto z) { return z ? y : x; }, a, b, c);
}
template <class T, class U, class V,
          std::enable_if_t<detail::is_number<T> && std::is_same_v<T, U> && std::is_same_v<T, V>, int> = 0>
__UW_INLINE T bitselect(T a, U b, V c) {
  using bits = std::make_unsigned_t<detail::truth_of<T>>;
  bits x, y, z;
  __builtin_memcpy(&x, &a, sizeof x);
  __builtin_memcpy(&y, &b, sizeof y);
  __builtin_memcpy(&z, &c, sizeof z);
  x = bits((x & ~z) | (y & z));
  __builtin_memcpy(&a, &x, sizeof x);
  return a;
}
template <class V, class W, class X, class = std::enable_if_t<detail::is_sequence<V>>, class = void>
auto bitselect(const V &a, const W &b, const X &c) {
  return detail::each_element([](auto x, auto y, auto z) { return sycl::bitselect(x, y, z); }, a, b, c);
}

} // namespace _V1
} // namespace sycl
#endif
