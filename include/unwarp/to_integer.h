/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the small floating point types share: a conversion to integers that saturates, and a name for "any number".
 */
#ifndef UNWARP_TO_INTEGER_H
#define UNWARP_TO_INTEGER_H

/* value is integral or NaN. What does not fit becomes the nearest value of the type, NaN 0 or, in 64 bits, the
 * highest bit alone. */
template <typename __Type> __UW_BOTH__ __Type __uw_to_integer(float __value) {
  constexpr bool __has_sign = (__Type)-1 < (__Type)0;
  constexpr int __digits = (int)sizeof(__Type) * 8 - (__has_sign ? 1 : 0);
  constexpr __Type __least = __has_sign ? (__Type)(1ull << (sizeof(__Type) * 8 - 1)) : (__Type)0;
  const float __limit = __digits == 64 ? 18446744073709551616.0f : (float)(1ull << (__digits & 63));
  if (__value != __value)
    return sizeof(__Type) == 8 ? (__Type)(1ull << 63) : (__Type)0;
  if (__value >= __limit)
    return (__Type)~__least;
  if (__value <= (__has_sign ? -__limit : 0.0f))
    return __least;
  return (__Type)__value;
}

#ifdef __CUDA__
#define __uw_is_arithmetic(type) __is_arithmetic(type)
#else
#include <type_traits>
#define __uw_is_arithmetic(type) std::is_arithmetic<type>::value
#endif
template <typename __Type, typename __Result, bool = __uw_is_arithmetic(__Type)> struct __uw_if_number {};
template <typename __Type, typename __Result> struct __uw_if_number<__Type, __Result, true> {
  typedef __Result type;
};

#endif
