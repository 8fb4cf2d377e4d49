// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer and common functions (SYCL 2020, sections 4.17.6 and 4.17.7), with min, max and clamp for both kinds of
// numbers.
#ifndef UNWARP_SYCL_INTEGER_FUNCTIONS_HPP
#define UNWARP_SYCL_INTEGER_FUNCTIONS_HPP

#include "math.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {

template <class T> inline constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class T>
using wider = std::conditional_t<
    sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
                       std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>>>;
template <class T> __UW_INLINE T saturated(wider<T> value) {
  constexpr wider<T> low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return T(value < low ? low : value > high ? high : value);
}
template <class T> using unsigned_of = std::make_unsigned_t<T>;

} // namespace detail

#define __UW_INTEGER_1(name, result, ...)                                                                              \
  template <class T, std::enable_if_t<detail::is_integer<T>, int> = 0> __UW_INLINE constexpr result name(T x) {        \
    return __VA_ARGS__;                                                                                                \
  }                                                                                                                    \
  template <class V, class = std::enable_if_t<detail::holds_integer<V>>, class = void> auto name(const V &v) {         \
    return detail::each_element([](auto x) { return sycl::name(x); }, v);                                              \
  }
#define __UW_INTEGER_2(name, ...)                                                                                      \
  template <class T, class U, std::enable_if_t<detail::is_integer<T> && std::is_same_v<T, U>, int> = 0>                \
  __UW_INLINE constexpr T name(T x, U y) {                                                                             \
    return __VA_ARGS__;                                                                                                \
  }                                                                                                                    \
  template <class V, class W, class = std::enable_if_t<detail::holds_integer<V>>> auto name(const V &v, const W &w) {  \
    using T = detail::element_type_of<V>;                                                                              \
    return detail::each_element([](auto x, auto y) { return sycl::name(T(x), T(y)); }, v, w);                          \
  }
#define __UW_INTEGER_3(name, ...)                                                                                      \
  template <class T, class U, class V,                                                                                 \
            std::enable_if_t<detail::is_integer<T> && std::is_same_v<T, U> && std::is_same_v<T, V>, int> = 0>          \
  __UW_INLINE constexpr T name(T x, U y, V z) {                                                                        \
    return __VA_ARGS__;                                                                                                \
  }                                                                                                                    \
  template <class V, class W, class X, class = std::enable_if_t<detail::holds_integer<V>>>                             \
  auto name(const V &v, const W &w, const X &x) {                                                                      \
    using T = detail::element_type_of<V>;                                                                              \
    return detail::each_element([](auto a, auto b, auto c) { return sycl::name(T(a), T(b), T(c)); }, v, w, x);         \
  }
__UW_INTEGER_1(abs, T, x < 0 ? T(detail::unsigned_of<T>(0) - detail::unsigned_of<T>(x)) : x)
__UW_INTEGER_1(clz, T,
               T(x == 0 ? int(8 * sizeof(T))
                        : __builtin_clzll((unsigned long long)(detail::unsigned_of<T>(x))) - int(64 - 8 * sizeof(T))))
__UW_INTEGER_1(ctz, T,
               T(x == 0 ? int(8 * sizeof(T)) : __builtin_ctzll((unsigned long long)(detail::unsigned_of<T>(x)))))
__UW_INTEGER_1(popcount, T, T(__builtin_popcountll((unsigned long long)(detail::unsigned_of<T>(x)))))
__UW_INTEGER_2(abs_diff, T(x > y ? detail::unsigned_of<T>(x) - detail::unsigned_of<T>(y)
                                 : detail::unsigned_of<T>(y) - detail::unsigned_of<T>(x)))
__UW_INTEGER_2(add_sat, detail::saturated<T>(detail::wider<T>(x) + y))
__UW_INTEGER_2(sub_sat, x < y && !std::is_signed_v<T> ? T(0) : detail::saturated<T>(detail::wider<T>(x) - y))
__UW_INTEGER_2(hadd, T((x & y) + ((x ^ y) >> 1)))
__UW_INTEGER_2(rhadd, T((x | y) - ((x ^ y) >> 1)))
__UW_INTEGER_2(mul_hi, T((detail::wider<T>(x) * y) >> (8 * sizeof(T))))
__UW_INTEGER_2(rotate, T(detail::unsigned_of<T>(x) << (y & T(8 * sizeof(T) - 1)) |
                         detail::unsigned_of<T>(x) >> (T(8 * sizeof(T)) - y & T(8 * sizeof(T) - 1))))
__UW_INTEGER_2(mul24, T(detail::unsigned_of<T>(x) * detail::unsigned_of<T>(y)))
__UW_INTEGER_3(mad24, T(detail::unsigned_of<T>(x) * detail::unsigned_of<T>(y) + detail::unsigned_of<T>(z)))
__UW_INTEGER_3(mad_hi, T(detail::unsigned_of<T>(sycl::mul_hi(x, y)) + detail::unsigned_of<T>(z)))
__UW_INTEGER_3(mad_sat, detail::saturated<T>(detail::wider<T>(x) * y + z))
#undef __UW_INTEGER_1
#undef __UW_INTEGER_2
#undef __UW_INTEGER_3

__UW_INLINE std::uint16_t upsample(std::uint8_t high, std::uint8_t low) { return std::uint16_t(high << 8 | low); }
__UW_INLINE std::int16_t upsample(std::int8_t high, std::uint8_t low) { return std::int16_t(high * 256 + low); }
__UW_INLINE std::uint32_t upsample(std::uint16_t high, std::uint16_t low) { return std::uint32_t(high) << 16 | low; }
__UW_INLINE std::int32_t upsample(std::int16_t high, std::uint16_t low) { return std::int32_t(high) * 65536 + low; }
__UW_INLINE std::uint64_t upsample(std::uint32_t high, std::uint32_t low) { return std::uint64_t(high) << 32 | low; }
__UW_INLINE std::int64_t upsample(std::int32_t high, std::uint32_t low) {
  return std::int64_t(std::uint64_t(std::int64_t(high)) << 32 | low);
}
template <class V, class W, class = std::enable_if_t<detail::holds_integer<V>>> auto upsample(const V &v, const W &w) {
  return detail::each_element([](auto x, auto y) { return sycl::upsample(x, y); }, v, w);
}

// --- numbers of both kinds
#define __UW_NUMBER_2(name, ...)                                                                                       \
  template <class T, class U, class = std::enable_if_t<detail::is_number<T> && std::is_same_v<T, U>>>                  \
  __UW_INLINE constexpr T name(T x, U y) {                                                                             \
    return __VA_ARGS__;                                                                                                \
  }                                                                                                                    \
  template <class V, class W, class = std::enable_if_t<detail::any_sequence<V, W>>, class = void>                      \
  auto name(const V &v, const W &w) {                                                                                  \
    using T = detail::element_type_of<std::conditional_t<detail::is_sequence<V>, V, W>>;                               \
    return detail::each_element([](auto x, auto y) { return sycl::name(T(x), T(y)); }, v, w);                          \
  }
__UW_NUMBER_2(max, x < y ? y : x)
__UW_NUMBER_2(min, y < x ? y : x)
#undef __UW_NUMBER_2
template <class T, class U, class = std::enable_if_t<detail::is_scalar_float<T> && std::is_same_v<T, U>>>
__UW_INLINE constexpr T step(T edge, U x) {
  return x < edge ? T(0) : T(1);
}
template <class V, class W, class = std::enable_if_t<detail::holds_float<V> && detail::is_sequence<W>>, class = void>
auto step(const V &edge, const W &v) {
  using T = detail::element_type_of<V>;
  return detail::each_element([](auto x, auto y) { return sycl::step(T(x), T(y)); }, edge, v);
}
template <class V, std::enable_if_t<detail::holds_float<V>, int> = 0>
auto step(detail::element_type_of<V> edge, const V &v) {
  using T = detail::element_type_of<V>;
  return detail::each_element([edge](auto x) { return sycl::step(edge, T(x)); }, v);
}
template <class T, class U, class V,
          class = std::enable_if_t<detail::is_number<T> && std::is_same_v<T, U> && std::is_same_v<T, V>>>
__UW_INLINE constexpr T clamp(T x, U low, V high) {
  return x < low ? low : high < x ? high : x;
}
template <class T, class U, class V,
          class = std::enable_if_t<detail::is_scalar_float<T> && std::is_same_v<T, U> && std::is_same_v<T, V>>>
__UW_INLINE T mix(T x, U y, V a) {
  return T(x + (y - x) * a);
}
template <class T, class U, class V,
          class = std::enable_if_t<detail::is_scalar_float<T> && std::is_same_v<T, U> && std::is_same_v<T, V>>>
__UW_INLINE T smoothstep(T low, U high, V x) {
  const T t = sycl::clamp(T((x - low) / (high - low)), T(0), T(1));
  return T(t * t * (T(3) - T(2) * t));
}
#define __UW_SEQUENCES_3(name, which)                                                                                  \
  template <class V, class W, class X,                                                                                 \
            class = std::enable_if_t<detail::any_sequence<V, W, X> && (detail::is_sequence<V> which)>, class = void>   \
  auto name(const V &v, const W &w, const X &x) {                                                                      \
    using S = std::conditional_t<detail::is_sequence<V>, V, std::conditional_t<detail::is_sequence<W>, W, X>>;         \
    using T = detail::element_type_of<S>;                                                                              \
    return detail::elementwise<S>(                                                                                     \
        std::make_integer_sequence<int, detail::sequence_length<S>()>(),                                               \
        [](auto a, auto b, auto c) { return sycl::name(T(a), T(b), T(c)); }, v, w, x);                                 \
  }
__UW_SEQUENCES_3(clamp, || true)
__UW_SEQUENCES_3(mix, || true)
__UW_SEQUENCES_3(smoothstep, &&true)
template <class V, std::enable_if_t<detail::holds_float<V>, int> = 0>
auto smoothstep(detail::element_type_of<V> low, detail::element_type_of<V> high, const V &v) {
  using T = detail::element_type_of<V>;
  return detail::each_element([low, high](auto x) { return sycl::smoothstep(low, high, T(x)); }, v);
}
#undef __UW_SEQUENCES_3
#define __UW_FLOAT_1(name, ...)                                                                                        \
  template <class T, std::enable_if_t<detail::is_scalar_float<T>, int> = 0> __UW_INLINE T name(T x) {                  \
    return __VA_ARGS__;                                                                                                \
  }                                                                                                                    \
  template <class V, class = std::enable_if_t<detail::holds_float<V>>, class = void> auto name(const V &v) {           \
    return detail::each_element([](auto x) { return sycl::name(x); }, v);                                              \
  }
__UW_FLOAT_1(degrees, T(x *T(180 / detail::pi)))
__UW_FLOAT_1(radians, T(x *T(detail::pi / 180)))
__UW_FLOAT_1(sign, x != x ? T(0) : x > T(0) ? T(1) : x < T(0) ? T(-1) : x)
#undef __UW_FLOAT_1
__UW_INLINE float abs(float x) { return __builtin_fabsf(x); }
__UW_INLINE double abs(double x) { return __builtin_fabs(x); }

} // namespace _V1
} // namespace sycl
#endif
