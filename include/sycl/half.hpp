// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::half is the compiler's own 16-bit type: arithmetic, conversions and promotions are those of C++.
// sycl::ext::oneapi::bfloat16 is a float's upper half.
#ifndef UNWARP_SYCL_HALF_HPP
#define UNWARP_SYCL_HALF_HPP

#include <cmath>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <limits>
#include <string>
#include <type_traits>

#define SYCL_EXT_ONEAPI_BFLOAT16 1

namespace sycl {
inline namespace _V1 {

using half = _Float16;

namespace detail {
template <class T>
inline constexpr bool is_scalar_float =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, half>;
template <class T> inline constexpr bool is_number = std::is_arithmetic_v<T> || std::is_same_v<T, half>;
} // namespace detail

namespace ext::oneapi {

class bfloat16 {
public:
  bfloat16() = default;
  // To the nearest, to even.
  bfloat16(float value) {
    std::uint32_t all;
    std::memcpy(&all, &value, sizeof all);
    if ((all & 0x7fffffffu) > 0x7f800000u)
      bits = std::uint16_t(all >> 16 | 0x40);
    else
      bits = std::uint16_t((all + 0x7fff + (all >> 16 & 1)) >> 16);
  }
  operator float() const {
    std::uint32_t all = std::uint32_t(bits) << 16;
    float value;
    std::memcpy(&value, &all, sizeof value);
    return value;
  }
  explicit operator bool() const { return (bits & 0x7fff) != 0; }

  friend bfloat16 operator-(bfloat16 a) {
    a.bits ^= 0x8000;
    return a;
  }
#define __UW_OPERATOR(op)                                                                                              \
  friend bfloat16 operator op(const bfloat16 &a, const bfloat16 &b) { return float(a) op float(b); }                   \
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>                                                \
  friend bfloat16 operator op(const bfloat16 &a, const T &b) {                                                         \
    return float(a) op float(b);                                                                                       \
  }                                                                                                                    \
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>                                                \
  friend bfloat16 operator op(const T &a, const bfloat16 &b) {                                                         \
    return float(a) op float(b);                                                                                       \
  }                                                                                                                    \
  friend bfloat16 &operator op## = (bfloat16 & a, const bfloat16 &b) { return a = a op b; }
  __UW_OPERATOR(+)
  __UW_OPERATOR(-)
  __UW_OPERATOR(*)
  __UW_OPERATOR(/)
#undef __UW_OPERATOR
#define __UW_OPERATOR(op)                                                                                              \
  friend bool operator op(const bfloat16 &a, const bfloat16 &b) { return float(a) op float(b); }                       \
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>                                                \
  friend bool operator op(const bfloat16 &a, const T &b) {                                                             \
    return float(a) op float(b);                                                                                       \
  }                                                                                                                    \
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>                                                \
  friend bool operator op(const T &a, const bfloat16 &b) {                                                             \
    return float(a) op float(b);                                                                                       \
  }
  __UW_OPERATOR(==)
  __UW_OPERATOR(!=)
  __UW_OPERATOR(<)
  __UW_OPERATOR(>)
  __UW_OPERATOR(<=)
  __UW_OPERATOR(>=)
#undef __UW_OPERATOR
  friend bfloat16 &operator++(bfloat16 &a) { return a += bfloat16(1.0f); }
  friend bfloat16 &operator--(bfloat16 &a) { return a -= bfloat16(1.0f); }

private:
  std::uint16_t bits;
};

} // namespace ext::oneapi
} // namespace _V1
} // namespace sycl

// libstdc++ 12 has no limits for the compiler's type.
#if !defined(__STDCPP_FLOAT16_T__)
// Nor has it the functions that C++23 has for it: each by float, whose results are rounded once more.
namespace std {
inline string to_string(_Float16 value) { return to_string(float(value)); }
template <class C, class Traits> basic_ostream<C, Traits> &operator<<(basic_ostream<C, Traits> &out, _Float16 value) {
  return out << float(value);
}
template <class C, class Traits> basic_istream<C, Traits> &operator>>(basic_istream<C, Traits> &in, _Float16 &value) {
  float read = 0;
  in >> read;
  value = _Float16(read);
  return in;
}
// Templates, so that programs may declare such functions themselves.
#define __UW_HALF template <class T, class = enable_if_t<is_same_v<T, _Float16>>>
#define __UW_1(name)                                                                                                   \
  __UW_HALF T name(T x) { return T(__builtin_##name##f(float(x))); }
#define __UW_2(name)                                                                                                   \
  __UW_HALF T name(T x, T y) { return T(__builtin_##name##f(float(x), float(y))); }
// clang-format off
__UW_1(acos) __UW_1(acosh) __UW_1(asin) __UW_1(asinh) __UW_1(atan) __UW_1(atanh) __UW_1(cbrt) __UW_1(ceil) __UW_1(cos) __UW_1(cosh)
__UW_1(erf) __UW_1(erfc) __UW_1(exp) __UW_1(exp2) __UW_1(expm1) __UW_1(fabs) __UW_1(floor) __UW_1(lgamma) __UW_1(log) __UW_1(log10)
__UW_1(log1p) __UW_1(log2) __UW_1(logb) __UW_1(nearbyint) __UW_1(rint) __UW_1(round) __UW_1(sin) __UW_1(sinh) __UW_1(sqrt) __UW_1(tan)
__UW_1(tanh) __UW_1(tgamma) __UW_1(trunc)
__UW_2(atan2) __UW_2(copysign) __UW_2(fdim) __UW_2(fmax) __UW_2(fmin) __UW_2(fmod) __UW_2(hypot) __UW_2(pow) __UW_2(remainder)
// clang-format on
#undef __UW_1
#undef __UW_2
                    __UW_HALF T fma(T x, T y, T z) {
  return T(__builtin_fma(double(x), double(y), double(z)));
} // products are exact in double
__UW_HALF T frexp(T x, int *exponent) { return T(__builtin_frexpf(float(x), exponent)); }
__UW_HALF T ldexp(T x, int exponent) { return T(__builtin_ldexpf(float(x), exponent)); }
__UW_HALF T scalbn(T x, int exponent) { return T(__builtin_scalbnf(float(x), exponent)); }
__UW_HALF T scalbln(T x, long exponent) { return T(__builtin_scalblnf(float(x), exponent)); }
__UW_HALF T remquo(T x, T y, int *quotient) { return T(__builtin_remquof(float(x), float(y), quotient)); }
__UW_HALF T modf(T x, T *whole) {
  float rounded;
  const T rest = T(__builtin_modff(float(x), &rounded));
  *whole = T(rounded);
  return rest;
}
__UW_HALF int ilogb(T x) { return __builtin_ilogbf(float(x)); }
__UW_HALF long lround(T x) { return __builtin_lroundf(float(x)); }
__UW_HALF long long llround(T x) { return __builtin_llroundf(float(x)); }
__UW_HALF long lrint(T x) { return __builtin_lrintf(float(x)); }
__UW_HALF long long llrint(T x) { return __builtin_llrintf(float(x)); }
__UW_HALF T abs(T x) { return T(__builtin_fabsf(float(x))); }
__UW_HALF constexpr bool isnan(T x) { return x != x; }
__UW_HALF constexpr bool isinf(T x) { return __builtin_isinf(float(x)); }
__UW_HALF constexpr bool isfinite(T x) { return __builtin_isfinite(float(x)); }
__UW_HALF constexpr bool isnormal(T x) {
  return __builtin_isfinite(float(x)) && (x >= T(0x1p-14f) || x <= T(-0x1p-14f));
}
__UW_HALF constexpr bool signbit(T x) { return __builtin_signbit(float(x)); }
#undef __UW_HALF
} // namespace std
template <> struct std::numeric_limits<_Float16> {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false,
                        has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true, is_iec559 = true,
                        is_bounded = true, is_modulo = false, traps = false, tinyness_before = false;
  static constexpr std::float_denorm_style has_denorm = std::denorm_present;
  static constexpr bool has_denorm_loss = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int digits = 11, digits10 = 3, max_digits10 = 5, radix = 2, min_exponent = -13, min_exponent10 = -4,
                       max_exponent = 16, max_exponent10 = 4;
  static constexpr _Float16 min() noexcept { return _Float16(0x1p-14f); }
  static constexpr _Float16 max() noexcept { return _Float16(65504.0f); }
  static constexpr _Float16 lowest() noexcept { return _Float16(-65504.0f); }
  static constexpr _Float16 epsilon() noexcept { return _Float16(0x1p-10f); }
  static constexpr _Float16 round_error() noexcept { return _Float16(0.5f); }
  static constexpr _Float16 infinity() noexcept { return _Float16(__builtin_huge_valf()); }
  static constexpr _Float16 quiet_NaN() noexcept { return _Float16(__builtin_nanf("")); }
  static constexpr _Float16 signaling_NaN() noexcept { return _Float16(__builtin_nanf("")); }
  static constexpr _Float16 denorm_min() noexcept { return _Float16(0x1p-24f); }
};
#endif
#endif
