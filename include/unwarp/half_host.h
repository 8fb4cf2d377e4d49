/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Half precision's conversions for C++ files that the host's compiler compiles, in the place of the compiler's type for
 * half precision, which g++ has from version 13 on: rounded once, to the nearest. Included by cuda_fp16.h.
 */
#ifndef UNWARP_HALF_HOST_H
#define UNWARP_HALF_HOST_H

#include "both_sides.h"

inline unsigned short __uw_half_bits(double __value) {
  const unsigned long long __bits = __uw_bit_cast(unsigned long long, __value);
  const unsigned int __sign = (unsigned int)(__bits >> 48) & 0x8000u;
  const int __exponent = (int)((__bits >> 52) & 0x7ff) - 1023;
  unsigned long long __fraction = __bits & 0xfffffffffffffull;
  if (__exponent == 1024 && __fraction)
    return (unsigned short)(__sign | 0x7e00u | (unsigned int)(__fraction >> 42));
  if (__exponent > 15)
    return (unsigned short)(__sign | 0x7c00u);
  if (__exponent < -25)
    return (unsigned short)__sign;
  __fraction |= 0x10000000000000ull;
  const bool __is_normal = __exponent >= -14;
  const int __shift = __is_normal ? 42 : 28 - __exponent;
  unsigned int __result =
      (unsigned int)(__fraction >> __shift) + (__is_normal ? (unsigned int)(__exponent + 14) << 10 : 0u);
  const unsigned long long __below = __fraction & ((1ull << __shift) - 1);
  const unsigned long long __middle = 1ull << (__shift - 1);
  __result += __below > __middle || (__below == __middle && (__result & 1u));
  return (unsigned short)(__sign | __result);
}

inline float __uw_half_value(unsigned short __half_bits) {
  const unsigned int __exponent = (__half_bits >> 10) & 0x1fu, __fraction = __half_bits & 0x3ffu;
  const unsigned int __sign = (unsigned int)(__half_bits & 0x8000u) << 16;
  if (__exponent == 0) { /* a multiple of 2^-24, exactly */
    const float __value = (float)__fraction * 5.9604644775390625e-8f;
    return __sign ? -__value : __value;
  }
  return __uw_bit_cast(float, __sign | (__exponent == 31 ? 0xffu : __exponent + 112u) << 23 | __fraction << 13);
}

struct __uw_float16 {
  unsigned short __bits;
  explicit __uw_float16(double __value) : __bits(__uw_half_bits(__value)) {}
  explicit __uw_float16(float __value) : __bits(__uw_half_bits((double)__value)) {}
  explicit operator float() const { return __uw_half_value(__bits); }

private:
  __uw_float16() = default;
  template <typename __To, typename __From> friend __To __uw_same_bits(const __From &__from);
};

#endif
