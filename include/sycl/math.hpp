// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions (SYCL 2020, section 4.17.5): those of the C library, on scalars and element by element.
// native:: and half_precision:: allow less, and give the same.
#ifndef UNWARP_SYCL_MATH_HPP
#define UNWARP_SYCL_MATH_HPP

#include "detail/elementwise.hpp"

namespace sycl {
inline namespace _V1 {

// --- on sequences of any of their floating-point types
#define __UW_ELEMENTWISE_1(name)                                                                                       \
  template <class V, class = std::enable_if_t<detail::holds_float<V>>> auto name(const V &v) {                         \
    return detail::each_element([](auto x) { return sycl::name(x); }, v);                                              \
  }
#define __UW_ELEMENTWISE_2(name)                                                                                       \
  template <class V, class W, class = std::enable_if_t<detail::holds_float<V> || detail::holds_float<W>>>              \
  auto name(const V &v, const W &w) {                                                                                  \
    using T = detail::element_type_of<std::conditional_t<detail::is_sequence<V>, V, W>>;                               \
    return detail::each_element([](auto x, auto y) { return sycl::name(T(x), T(y)); }, v, w);                          \
  }
#define __UW_ELEMENTWISE_3(name)                                                                                       \
  template <class V, class W, class X, class = std::enable_if_t<detail::holds_float<V>>>                               \
  auto name(const V &v, const W &w, const X &x) {                                                                      \
    using T = detail::element_type_of<V>;                                                                              \
    return detail::each_element([](auto a, auto b, auto c) { return sycl::name(T(a), T(b), T(c)); }, v, w, x);         \
  }

// --- functions of the C library, as the compiler knows them
#define __UW_MATH_1(name, builtin)                                                                                     \
  __UW_INLINE float name(float x) { return __builtin_##builtin##f(x); }                                                \
  __UW_INLINE double name(double x) { return __builtin_##builtin(x); }                                                 \
  __UW_INLINE half name(half x) { return half(__builtin_##builtin##f(float(x))); }                                     \
  __UW_ELEMENTWISE_1(name)
#define __UW_MATH_2(name, builtin)                                                                                     \
  __UW_INLINE float name(float x, float y) { return __builtin_##builtin##f(x, y); }                                    \
  __UW_INLINE double name(double x, double y) { return __builtin_##builtin(x, y); }                                    \
  __UW_INLINE half name(half x, half y) { return half(__builtin_##builtin##f(float(x), float(y))); }                   \
  __UW_ELEMENTWISE_2(name)
__UW_MATH_1(acos, acos)
__UW_MATH_1(acosh, acosh)
__UW_MATH_1(asin, asin)
__UW_MATH_1(asinh, asinh)
__UW_MATH_1(atan, atan)
__UW_MATH_1(atanh, atanh)
__UW_MATH_1(cbrt, cbrt)
__UW_MATH_1(ceil, ceil)
__UW_MATH_1(cos, cos)
__UW_MATH_1(cosh, cosh)
__UW_MATH_1(erf, erf)
__UW_MATH_1(erfc, erfc)
__UW_MATH_1(exp, exp)
__UW_MATH_1(exp2, exp2)
__UW_MATH_1(exp10, exp10)
__UW_MATH_1(expm1, expm1)
__UW_MATH_1(fabs, fabs)
__UW_MATH_1(floor, floor)
__UW_MATH_1(lgamma, lgamma)
__UW_MATH_1(log, log)
__UW_MATH_1(log10, log10)
__UW_MATH_1(log1p, log1p)
__UW_MATH_1(log2, log2)
__UW_MATH_1(logb, logb)
__UW_MATH_1(rint, rint)
__UW_MATH_1(round, round)
__UW_MATH_1(sin, sin)
__UW_MATH_1(sinh, sinh)
__UW_MATH_1(sqrt, sqrt)
__UW_MATH_1(tan, tan)
__UW_MATH_1(tanh, tanh)
__UW_MATH_1(tgamma, tgamma)
__UW_MATH_1(trunc, trunc)
__UW_MATH_2(atan2, atan2)
__UW_MATH_2(copysign, copysign)
__UW_MATH_2(fdim, fdim)
__UW_MATH_2(fmax, fmax)
__UW_MATH_2(fmin, fmin)
__UW_MATH_2(fmod, fmod)
__UW_MATH_2(hypot, hypot)
__UW_MATH_2(nextafter, nextafter)
__UW_MATH_2(pow, pow)
__UW_MATH_2(powr, pow)
__UW_MATH_2(remainder, remainder)

// --- the others, by these
#define __UW_BY_TYPE(type, name, parameters, ...)                                                                      \
  __UW_INLINE type name parameters {                                                                                   \
    using T = type;                                                                                                    \
    return __VA_ARGS__;                                                                                                \
  }
#define __UW_BY(name, ...)                                                                                             \
  __UW_BY_TYPE(float, name, (float x), __VA_ARGS__)                                                                    \
  __UW_BY_TYPE(double, name, (double x), __VA_ARGS__)                                                                  \
  __UW_BY_TYPE(half, name, (half x), __VA_ARGS__)                                                                      \
  template <class V, class = std::enable_if_t<detail::holds_float<V>>, class = void> auto name(const V &v) {           \
    return detail::each_element([](auto x) { return sycl::name(x); }, v);                                              \
  }
namespace detail {
inline constexpr double pi = 3.14159265358979323846;
template <class T> using at_least_float = std::conditional_t<sizeof(T) < sizeof(float), float, T>;
// sin, cos and tan of x * pi, by what x is beside whole or half turns, which is exact: the product with pi then has no
// more than its rounding, and no result near zero depends on it.
template <class T> __UW_INLINE bool is_odd(T whole) { return whole != T(2) * sycl::rint(T(whole * T(0.5))); }
template <class T> __UW_INLINE T sine_beside_zero(T rest) { // from -0.5 to 0.5, with its ends exact
  return sycl::fabs(rest) == T(0.5) ? T(rest * T(2)) : sycl::sin(T(rest * T(pi)));
}
template <class T> __UW_INLINE T sine_of_turns(T x) {
  const T whole = sycl::rint(x), rest = T(x - whole), sine = sine_beside_zero(rest);
  return rest == T(0) ? sycl::copysign(T(0), x) : is_odd(whole) ? T(-sine) : sine;
}
template <class T> __UW_INLINE T cosine_of_turns(T x) {
  const T rest = sycl::fabs(T(x - T(2) * sycl::rint(T(x * T(0.5)))));
  return sine_beside_zero(T(T(0.5) - rest));
}
template <class T> __UW_INLINE T tangent_of_turns(T x) {
  const T whole = sycl::rint(x), rest = T(x - whole), magnitude = sycl::fabs(rest);
  const bool steep = magnitude > T(0.25);
  const T low = sycl::tan(T((steep ? T(T(0.5) - magnitude) : magnitude) * T(pi)));
  const T zero = is_odd(whole) ? T(-x) : x;
  return sycl::copysign(steep ? T(T(1) / low) : low, rest == T(0) ? zero : rest);
}
} // namespace detail
__UW_BY(acospi, T(sycl::acos(x) * T(1 / detail::pi)))
__UW_BY(asinpi, T(sycl::asin(x) * T(1 / detail::pi)))
__UW_BY(atanpi, T(sycl::atan(x) * T(1 / detail::pi)))
__UW_BY(cospi, T(detail::cosine_of_turns(detail::at_least_float<T>(x))))
__UW_BY(sinpi, T(detail::sine_of_turns(detail::at_least_float<T>(x))))
__UW_BY(tanpi, T(detail::tangent_of_turns(detail::at_least_float<T>(x))))
__UW_BY(rsqrt, T(T(1) / sycl::sqrt(x)))
#undef __UW_BY
namespace detail {
template <class T> __UW_INLINE T larger_magnitude(T x, T y) {
  const T a = sycl::fabs(x), b = sycl::fabs(y);
  return a > b ? x : b > a ? y : sycl::fmax(x, y);
}
template <class T> __UW_INLINE T smaller_magnitude(T x, T y) {
  const T a = sycl::fabs(x), b = sycl::fabs(y);
  return a < b ? x : b < a ? y : sycl::fmin(x, y);
}
template <class T> __UW_INLINE T root(T x, int y) {
  const bool negative = x < T(0) && (y & 1);
  const T of_magnitude = T(__builtin_pow(double(negative ? T(-x) : x), 1.0 / double(y)));
  return negative ? T(-of_magnitude) : of_magnitude;
}
} // namespace detail
// clang-format off
#define __UW_BY_2(name, ...)                                                                                           \
  __UW_BY_TYPE(float, name, (float x, float y), __VA_ARGS__)                                                           \
  __UW_BY_TYPE(double, name, (double x, double y), __VA_ARGS__)                                                        \
  __UW_BY_TYPE(half, name, (half x, half y), __VA_ARGS__)
// clang-format on
__UW_BY_2(atan2pi, T(sycl::atan2(x, y) * T(1 / detail::pi)))
__UW_BY_2(maxmag, detail::larger_magnitude(x, y))
__UW_BY_2(minmag, detail::smaller_magnitude(x, y))
#undef __UW_BY_2
__UW_ELEMENTWISE_2(atan2pi)
__UW_ELEMENTWISE_2(maxmag)
__UW_ELEMENTWISE_2(minmag)

__UW_INLINE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__UW_INLINE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
__UW_INLINE half fma(half a, half b, half c) { return half(__builtin_fma(double(a), double(b), double(c))); }
__UW_ELEMENTWISE_3(fma)
__UW_BY_TYPE(float, mad, (float a, float b, float c), T(a *b + c))
__UW_BY_TYPE(double, mad, (double a, double b, double c), T(a *b + c))
__UW_BY_TYPE(half, mad, (half a, half b, half c), T(a *b + c))
__UW_ELEMENTWISE_3(mad)

// --- with integers
__UW_INLINE float ldexp(float x, int exponent) { return __builtin_ldexpf(x, exponent); }
__UW_INLINE double ldexp(double x, int exponent) { return __builtin_ldexp(x, exponent); }
__UW_INLINE half ldexp(half x, int exponent) { return half(__builtin_ldexpf(float(x), exponent)); }
__UW_INLINE float pown(float x, int y) { return float(__builtin_pow(double(x), double(y))); }
__UW_INLINE double pown(double x, int y) { return __builtin_pow(x, double(y)); }
__UW_INLINE half pown(half x, int y) { return half(__builtin_powf(float(x), float(y))); }
__UW_BY_TYPE(float, rootn, (float x, int y), detail::root(x, y))
__UW_BY_TYPE(double, rootn, (double x, int y), detail::root(x, y))
__UW_BY_TYPE(half, rootn, (half x, int y), detail::root(x, y))
#undef __UW_BY_TYPE
__UW_INLINE int ilogb(float x) { return __builtin_ilogbf(x); }
__UW_INLINE int ilogb(double x) { return __builtin_ilogb(x); }
__UW_INLINE int ilogb(half x) { return __builtin_ilogbf(float(x)); }
__UW_INLINE float nan(std::uint32_t bits) {
  bits = 0x7fc00000u | (bits & 0x3fffffu);
  float out;
  __builtin_memcpy(&out, &bits, sizeof out);
  return out;
}
__UW_INLINE double nan(std::uint64_t bits) {
  bits = 0x7ff8000000000000u | (bits & 0x7ffffffffffffu);
  double out;
  __builtin_memcpy(&out, &bits, sizeof out);
  return out;
}
__UW_INLINE half nan(std::uint16_t bits) {
  bits = 0x7e00u | (bits & 0x1ffu);
  half out;
  __builtin_memcpy(&out, &bits, sizeof out);
  return out;
}
template <class V, class = std::enable_if_t<detail::holds_integer<V>>> auto nan(const V &bits) {
  return detail::each_element([](auto x) { return sycl::nan(std::make_unsigned_t<decltype(x)>(x)); }, bits);
}
template <class V, class W, class = std::enable_if_t<detail::holds_float<V>>> auto ldexp(const V &v, const W &w) {
  return detail::each_element([](auto x, auto y) { return sycl::ldexp(x, int(y)); }, v, w);
}
template <class V, class W, class = std::enable_if_t<detail::holds_float<V>>> auto pown(const V &v, const W &w) {
  return detail::each_element([](auto x, auto y) { return sycl::pown(x, int(y)); }, v, w);
}
template <class V, class W, class = std::enable_if_t<detail::holds_float<V>>, class = void>
auto rootn(const V &v, const W &w) {
  return detail::each_element([](auto x, auto y) { return sycl::rootn(x, int(y)); }, v, w);
}
template <class V, class = std::enable_if_t<detail::holds_float<V>>> auto ilogb(const V &v) {
  return detail::each_element([](auto x) { return sycl::ilogb(x); }, v);
}

// --- with a second result, behind a pointer
namespace detail {
template <class P> using pointee = std::remove_reference_t<decltype(*std::declval<P>())>;
template <class T> __UW_INLINE T with_modf(T x, T *whole) {
  const T integer = sycl::trunc(x);
  *whole = integer;
  return sycl::copysign(__builtin_isinf(double(x)) ? T(0) : T(x - integer), x);
}
template <class T> __UW_INLINE T with_fract(T x, T *whole) {
  *whole = sycl::floor(x);
  constexpr T below_1 = std::is_same_v<T, double>  ? T(0x1.fffffffffffffp-1)
                        : std::is_same_v<T, float> ? T(0x1.fffffep-1)
                                                   : T(0x1.ffcp-1);
  return __builtin_isinf(double(x)) ? sycl::copysign(T(0), x) : sycl::fmin(T(x - *whole), below_1);
}
template <class T> __UW_INLINE T with_frexp(T x, int *exponent) {
  if constexpr (std::is_same_v<T, double>)
    return __builtin_frexp(x, exponent);
  else
    return T(__builtin_frexpf(float(x), exponent));
}
template <class T> __UW_INLINE T with_sincos(T x, T *cosine) {
  *cosine = sycl::cos(x);
  return sycl::sin(x);
}
template <class T> __UW_INLINE T with_lgamma(T x, int *sign) {
  *sign = x < T(0) && sycl::floor(x) != x && (long long)(sycl::floor(x)) % 2 != 0 ? -1 : 1;
  return sycl::lgamma(x);
}
template <class T> __UW_INLINE T with_remquo(T x, T y, int *quotient) {
  if constexpr (std::is_same_v<T, double>)
    return __builtin_remquo(x, y, quotient);
  else
    return T(__builtin_remquof(float(x), float(y), quotient));
}
} // namespace detail
#define __UW_WITH_POINTER(name, function)                                                                              \
  template <class P> __UW_INLINE float name(float x, P place) { return detail::function(x, &*place); }                 \
  template <class P> __UW_INLINE double name(double x, P place) { return detail::function(x, &*place); }               \
  template <class P> __UW_INLINE half name(half x, P place) { return detail::function(x, &*place); }                   \
  template <class V, class P, class R = detail::pointee<P>, class = std::enable_if_t<detail::holds_float<V>>>          \
  auto name(const V &v, P place) {                                                                                     \
    constexpr int count = detail::sequence_length<V>();                                                                \
    using T = detail::element_type_of<V>;                                                                              \
    std::conditional_t<detail::is_vector<V>, vec<T, count>, marray<T, count>> out;                                     \
    R second;                                                                                                          \
    for (int i = 0; i < count; i++)                                                                                    \
      out[i] = detail::function(T(v[i]), &second[i]);                                                                  \
    *place = second;                                                                                                   \
    return out;                                                                                                        \
  }
__UW_WITH_POINTER(modf, with_modf)
__UW_WITH_POINTER(fract, with_fract)
__UW_WITH_POINTER(frexp, with_frexp)
__UW_WITH_POINTER(sincos, with_sincos)
__UW_WITH_POINTER(lgamma_r, with_lgamma)
#undef __UW_WITH_POINTER
template <class P> __UW_INLINE float remquo(float x, float y, P place) { return detail::with_remquo(x, y, &*place); }
template <class P> __UW_INLINE double remquo(double x, double y, P place) { return detail::with_remquo(x, y, &*place); }
template <class P> __UW_INLINE half remquo(half x, half y, P place) { return detail::with_remquo(x, y, &*place); }
template <class V, class W, class P, class R = detail::pointee<P>, class = std::enable_if_t<detail::holds_float<V>>>
auto remquo(const V &v, const W &w, P place) {
  constexpr int count = detail::sequence_length<V>();
  using T = detail::element_type_of<V>;
  std::conditional_t<detail::is_vector<V>, vec<T, count>, marray<T, count>> out;
  R second;
  for (int i = 0; i < count; i++)
    out[i] = detail::with_remquo(T(v[i]), T(w[i]), &second[i]);
  *place = second;
  return out;
}

// --- native and half precision
// Scalars by functions that are no templates, as what converts to one may be given.
#define __UW_NATIVE_1(name, ...)                                                                                       \
  __UW_INLINE float name(float x) { return __VA_ARGS__; }                                                              \
  __UW_INLINE double name(double x) { return __VA_ARGS__; }                                                            \
  __UW_INLINE half name(half x) { return __VA_ARGS__; }                                                                \
  template <class V, class = std::enable_if_t<detail::holds_float<V>>> auto name(const V &v) {                         \
    return detail::each_element([](auto x) { return __VA_ARGS__; }, v);                                                \
  }
#define __UW_NATIVE_2(name, ...)                                                                                       \
  __UW_INLINE float name(float x, float y) { return __VA_ARGS__; }                                                     \
  __UW_INLINE double name(double x, double y) { return __VA_ARGS__; }                                                  \
  __UW_INLINE half name(half x, half y) { return __VA_ARGS__; }                                                        \
  template <class V, class W, class = std::enable_if_t<detail::holds_float<V> || detail::holds_float<W>>>              \
  auto name(const V &v, const W &w) {                                                                                  \
    using T = detail::element_type_of<std::conditional_t<detail::is_sequence<V>, V, W>>;                               \
    return detail::each_element([](T x, T y) { return T(__VA_ARGS__); }, v, w);                                        \
  }
// clang-format off
#define __UW_NATIVE_ALL                                                                                                \
  __UW_NATIVE_1(cos, sycl::cos(x))                                                                                     \
  __UW_NATIVE_1(exp, sycl::exp(x))                                                                                     \
  __UW_NATIVE_1(exp2, sycl::exp2(x))                                                                                   \
  __UW_NATIVE_1(exp10, sycl::exp10(x))                                                                                 \
  __UW_NATIVE_1(log, sycl::log(x))                                                                                     \
  __UW_NATIVE_1(log2, sycl::log2(x))                                                                                   \
  __UW_NATIVE_1(log10, sycl::log10(x))                                                                                 \
  __UW_NATIVE_1(rsqrt, sycl::rsqrt(x))                                                                                 \
  __UW_NATIVE_1(sin, sycl::sin(x))                                                                                     \
  __UW_NATIVE_1(sqrt, sycl::sqrt(x))                                                                                   \
  __UW_NATIVE_1(tan, sycl::tan(x))                                                                                     \
  __UW_NATIVE_1(recip, decltype(x)(1) / x)                                                                             \
  __UW_NATIVE_2(divide, x / y)                                                                                         \
  __UW_NATIVE_2(powr, sycl::pow(x, y))
// clang-format on
namespace native {
__UW_NATIVE_ALL
} // namespace native
namespace half_precision {
__UW_NATIVE_ALL
} // namespace half_precision
#undef __UW_NATIVE_ALL
// sycl_ext_oneapi_native_math
#define SYCL_EXT_ONEAPI_NATIVE_MATH 1
namespace ext::oneapi::experimental::native {
__UW_NATIVE_1(exp2, sycl::exp2(x))
__UW_NATIVE_1(tanh, sycl::tanh(x))
} // namespace ext::oneapi::experimental::native
#undef __UW_NATIVE_1
#undef __UW_NATIVE_2
#undef __UW_MATH_1
#undef __UW_MATH_2
#undef __UW_ELEMENTWISE_1
#undef __UW_ELEMENTWISE_2
#undef __UW_ELEMENTWISE_3

} // namespace _V1
} // namespace sycl
#endif
