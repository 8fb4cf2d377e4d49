// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl_ext_oneapi_bfloat16_math_functions: on bfloat16, and element by element on vec, swizzles and marray of it. What
// has no exact result is float's, rounded.
#ifndef UNWARP_SYCL_BFLOAT16_MATH_HPP
#define UNWARP_SYCL_BFLOAT16_MATH_HPP

#include "math.hpp"

#define SYCL_EXT_ONEAPI_BFLOAT16_MATH_FUNCTIONS 1

namespace sycl {
inline namespace _V1 {
namespace detail {

using ext::oneapi::bfloat16;
template <class V> inline constexpr bool is_bfloat16 = std::is_same_v<V, bfloat16>;
template <class V> inline constexpr bool holds_bfloat16 = is_sequence<V> && is_bfloat16<element_type_of<V>>;

// The nearest float, but for the last digit, which is one where digits are left out: what is rounded to fewer digits
// then is as if it were rounded once.
__UW_INLINE float sticky_float(double value, double rest) {
  const float near = float(value);
  if ((double(near) == value && rest == 0) || !(__builtin_fabs(value) < __builtin_inf()))
    return near;
  std::uint32_t bits;
  std::memcpy(&bits, &near, sizeof bits);
  const bool larger =
      double(near) == value ? (rest < 0) != (value < 0) : __builtin_fabs(double(near)) > __builtin_fabs(value);
  bits = (bits - larger) | 1;
  float sticky;
  std::memcpy(&sticky, &bits, sizeof sticky);
  return sticky;
}
__UW_INLINE bfloat16 fma_of(bfloat16 x, bfloat16 y, bfloat16 z) {
  const double product = double(float(x)) * double(float(y)), addend = float(z); // exact
  const double sum = product + addend, of_addend = sum - product;
  return bfloat16(sticky_float(sum, (product - (sum - of_addend)) + (addend - of_addend)));
}
__UW_INLINE bool sign_of(bfloat16 x) { return __builtin_signbit(float(x)); }
// Zeros have an order, and what is no number is the other.
__UW_INLINE bfloat16 min_of(bfloat16 x, bfloat16 y) {
  return x != x ? y : y != y ? x : x < y || (x == y && sign_of(x)) ? x : y;
}
__UW_INLINE bfloat16 max_of(bfloat16 x, bfloat16 y) {
  return x != x ? y : y != y ? x : x > y || (x == y && !sign_of(x)) ? x : y;
}
} // namespace detail

namespace ext::oneapi::experimental {

#define __UW_ONE class T, class = std::enable_if_t<sycl::detail::is_bfloat16<T>>
#define __UW_SEQUENCE class V, class = std::enable_if_t<sycl::detail::holds_bfloat16<V>>, class = void

// Of vectors -1 is true, as the other functions that compare have it.
template <__UW_ONE> __UW_INLINE bool isnan(T x) { return x != x; }
template <__UW_SEQUENCE> auto isnan(const V &v) {
  using truth = std::conditional_t<sycl::detail::is_vector<V>, std::int16_t, bool>;
  return sycl::detail::each_element([](auto x) { return truth(x != x ? -1 : 0); }, v);
}

template <__UW_ONE> __UW_INLINE T fabs(T x) { return T(__builtin_fabsf(float(x))); }
template <__UW_SEQUENCE> auto fabs(const V &v) {
  return sycl::detail::each_element([](auto x) { return experimental::fabs(x); }, v);
}

#define __UW_BFLOAT16_2(name, scalar)                                                                                  \
  template <__UW_ONE> __UW_INLINE T name(T x, T y) { return sycl::detail::scalar(x, y); }                              \
  template <class V, class W,                                                                                          \
            class = std::enable_if_t<sycl::detail::holds_bfloat16<V> && sycl::detail::holds_bfloat16<W>>>              \
  auto name(const V &v, const W &w) {                                                                                  \
    return sycl::detail::each_element([](auto x, auto y) { return sycl::detail::scalar(x, y); }, v, w);                \
  }
__UW_BFLOAT16_2(fmin, min_of)
__UW_BFLOAT16_2(fmax, max_of)
#undef __UW_BFLOAT16_2

template <__UW_ONE> __UW_INLINE T fma(T x, T y, T z) { return sycl::detail::fma_of(x, y, z); }
template <class V, class W, class X,
          class = std::enable_if_t<sycl::detail::holds_bfloat16<V> && sycl::detail::holds_bfloat16<W> &&
                                   sycl::detail::holds_bfloat16<X>>>
auto fma(const V &v, const W &w, const X &x) {
  return sycl::detail::each_element([](auto a, auto b, auto c) { return sycl::detail::fma_of(a, b, c); }, v, w, x);
}

#define __UW_BFLOAT16_1(name)                                                                                          \
  template <__UW_ONE> __UW_INLINE T name(T x) { return T(sycl::name(float(x))); }                                      \
  template <__UW_SEQUENCE> auto name(const V &v) {                                                                     \
    return sycl::detail::each_element([](auto x) { return experimental::name(x); }, v);                                \
  }
__UW_BFLOAT16_1(ceil)
__UW_BFLOAT16_1(cos)
__UW_BFLOAT16_1(exp)
__UW_BFLOAT16_1(exp10)
__UW_BFLOAT16_1(exp2)
__UW_BFLOAT16_1(floor)
__UW_BFLOAT16_1(log)
__UW_BFLOAT16_1(log10)
__UW_BFLOAT16_1(log2)
__UW_BFLOAT16_1(rint)
__UW_BFLOAT16_1(rsqrt)
__UW_BFLOAT16_1(sin)
__UW_BFLOAT16_1(sqrt)
__UW_BFLOAT16_1(tanh)
__UW_BFLOAT16_1(trunc)
#undef __UW_BFLOAT16_1
#undef __UW_ONE
#undef __UW_SEQUENCE

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
#endif
