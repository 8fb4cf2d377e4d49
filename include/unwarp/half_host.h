/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * __half and __half2 for C++ files that the host's compiler compiles: the same objects as in kernels' files, conversions
 * rounded once, to the nearest, arithmetic by way of float. C++11, and no type of the compiler's for half precision,
 * which g++ has from version 12 on. Included by cuda_fp16.h. */
#ifndef UNWARP_HALF_HOST_H
#define UNWARP_HALF_HOST_H

#include <string.h>

#define __CUDA_FP16_TYPES_EXIST__

typedef struct __attribute__((aligned(2))) {
  unsigned short x;
} __half_raw;
typedef struct __attribute__((aligned(4))) {
  unsigned short x, y;
} __half2_raw;

inline unsigned short __uw_half_bits(double __value) {
  unsigned long long __bits, __below;
  memcpy(&__bits, &__value, sizeof __bits);
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
  __below = __fraction & ((1ull << __shift) - 1);
  const unsigned long long __middle = 1ull << (__shift - 1);
  __result += __below > __middle || (__below == __middle && (__result & 1u));
  return (unsigned short)(__sign | __result);
}

inline float __uw_half_value(unsigned short __half_bits) {
  const unsigned int __exponent = (__half_bits >> 10) & 0x1fu, __fraction = __half_bits & 0x3ffu;
  const unsigned int __sign = (unsigned int)(__half_bits & 0x8000u) << 16;
  float __value;
  if (__exponent == 0) { /* a multiple of 2^-24, exactly */
    __value = (float)__fraction * 5.9604644775390625e-8f;
    return __sign ? -__value : __value;
  }
  const unsigned int __bits = __sign | (__exponent == 31 ? 0xffu : __exponent + 112u) << 23 | __fraction << 13;
  memcpy(&__value, &__bits, sizeof __value);
  return __value;
}

struct __attribute__((aligned(2))) __half {
protected:
  unsigned short __x;

public:
  __half() = default;
  __half(const __half_raw &__raw) : __x(__raw.x) {}
  __half(float __value) : __x(__uw_half_bits((double)__value)) {}
  __half(double __value) : __x(__uw_half_bits(__value)) {}
  __half(short __value) : __x(__uw_half_bits((double)__value)) {}
  __half(unsigned short __value) : __x(__uw_half_bits((double)__value)) {}
  __half(int __value) : __x(__uw_half_bits((double)__value)) {}
  __half(unsigned int __value) : __x(__uw_half_bits((double)__value)) {}
  __half(long __value) : __x(__uw_half_bits((double)__value)) {}
  __half(unsigned long __value) : __x(__uw_half_bits((double)__value)) {}
  __half(long long __value) : __x(__uw_half_bits((double)__value)) {}
  __half(unsigned long long __value) : __x(__uw_half_bits((double)__value)) {}
  operator __half_raw() const {
    __half_raw __raw = {__x};
    return __raw;
  }
  operator float() const { return __uw_half_value(__x); }
};

#define __UW_NUMBER __half
#define __UW_RAW __half_raw
#define __UW_PAIR __half2
#define __UW_PAIR_RAW __half2_raw
#include "host_pairs.h"

inline __half __float2half(float __value) { return __half(__value); }
inline __half __float2half_rn(float __value) { return __half(__value); }
inline __half __double2half(double __value) { return __half(__value); }
inline float __half2float(__half __value) { return (float)__value; }
inline __half2 __float2half2_rn(float __value) { return __half2(__half(__value), __half(__value)); }
inline __half2 __floats2half2_rn(float __a, float __b) { return __half2(__half(__a), __half(__b)); }
inline __half2 __halves2half2(__half __a, __half __b) { return __half2(__a, __b); }
inline __half __low2half(__half2 __value) { return __value.x; }
inline __half __high2half(__half2 __value) { return __value.y; }
inline unsigned short __half_as_ushort(__half __value) { return ((__half_raw)__value).x; }
inline short __half_as_short(__half __value) { return (short)((__half_raw)__value).x; }
inline __half __ushort_as_half(unsigned short __bits) { return __half(__half_raw{__bits}); }
inline __half __short_as_half(short __bits) { return __half(__half_raw{(unsigned short)__bits}); }

#include "half_aliases.h"

#endif
