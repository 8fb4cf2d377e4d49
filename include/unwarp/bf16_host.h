/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * __nv_bfloat16 and __nv_bfloat162 for C++ files that the host's compiler compiles, as half_host.h has __half: the same
 * objects as in kernels' files, conversions rounded once, to the nearest, arithmetic by way of float. C++11. Included by
 * cuda_bf16.h. */
#ifndef UNWARP_BF16_HOST_H
#define UNWARP_BF16_HOST_H

#include <string.h>

#define __CUDA_BF16_TYPES_EXIST__

typedef struct __attribute__((aligned(2))) {
  unsigned short x;
} __nv_bfloat16_raw;
typedef struct __attribute__((aligned(4))) {
  unsigned short x, y;
} __nv_bfloat162_raw;

inline unsigned short __uw_bf16_bits(float __value) {
  unsigned int __bits;
  memcpy(&__bits, &__value, sizeof __bits);
  return __value != __value ? (unsigned short)0x7fff : (unsigned short)((__bits + 0x7fffu + (__bits >> 16 & 1)) >> 16);
}
/* A double goes through a float that is rounded to odd: its last bit remembers what was cut off. */
inline float __uw_odd_float(double __value) {
  float __nearest = (float)__value;
  unsigned int __bits;
  memcpy(&__bits, &__nearest, sizeof __bits);
  if (__value != __value || (double)__nearest == __value || (__bits & 1))
    return __nearest;
  const bool __above = (double)__nearest > __value;
  __bits = __nearest == 0 ? (__above ? 0x80000001u : 1u) : (__nearest > 0) == __above ? __bits - 1 : __bits + 1;
  memcpy(&__nearest, &__bits, sizeof __nearest);
  return __nearest;
}
/* Of a large integer the low bits only say whether there is something: double then holds it. */
inline double __uw_odd_double(unsigned long long __value) {
  return (double)(__value >> 53 ? (__value & ~0x7ffull) | ((__value & 0x7ff) ? 0x800 : 0) : __value);
}

struct __attribute__((aligned(2))) __nv_bfloat16 {
protected:
  unsigned short __x;

public:
  __nv_bfloat16() = default;
  __nv_bfloat16(const __nv_bfloat16_raw &__raw) : __x(__raw.x) {}
  __nv_bfloat16(float __value) : __x(__uw_bf16_bits(__value)) {}
  explicit __nv_bfloat16(const __half &__value) : __x(__uw_bf16_bits((float)__value)) {}
  __nv_bfloat16(double __value) : __x(__uw_bf16_bits(__uw_odd_float(__value))) {}
  __nv_bfloat16(short __value) : __x(__uw_bf16_bits((float)__value)) {}
  __nv_bfloat16(unsigned short __value) : __x(__uw_bf16_bits((float)__value)) {}
  __nv_bfloat16(int __value) : __nv_bfloat16((double)__value) {}
  __nv_bfloat16(unsigned int __value) : __nv_bfloat16((double)__value) {}
  __nv_bfloat16(unsigned long long __value) : __nv_bfloat16(__uw_odd_double(__value)) {}
  __nv_bfloat16(long long __value)
      : __nv_bfloat16(__value < 0 ? -__uw_odd_double(0ull - (unsigned long long)__value)
                                  : __uw_odd_double((unsigned long long)__value)) {}
  __nv_bfloat16(long __value) : __nv_bfloat16((long long)__value) {}
  __nv_bfloat16(unsigned long __value) : __nv_bfloat16((unsigned long long)__value) {}
  operator __nv_bfloat16_raw() const {
    __nv_bfloat16_raw __raw = {__x};
    return __raw;
  }
  operator float() const {
    const unsigned int __bits = (unsigned int)__x << 16;
    float __value;
    memcpy(&__value, &__bits, sizeof __value);
    return __value;
  }
};

#define __UW_NUMBER __nv_bfloat16
#define __UW_RAW __nv_bfloat16_raw
#define __UW_PAIR __nv_bfloat162
#define __UW_PAIR_RAW __nv_bfloat162_raw
#include "host_pairs.h"

inline __nv_bfloat16 __float2bfloat16(float __value) { return __nv_bfloat16(__value); }
inline __nv_bfloat16 __float2bfloat16_rn(float __value) { return __nv_bfloat16(__value); }
inline __nv_bfloat16 __double2bfloat16(double __value) { return __nv_bfloat16(__value); }
inline float __bfloat162float(__nv_bfloat16 __value) { return (float)__value; }
inline __nv_bfloat162 __float2bfloat162_rn(float __value) { return __nv_bfloat162(__value, __value); }
inline __nv_bfloat162 __floats2bfloat162_rn(float __a, float __b) { return __nv_bfloat162(__a, __b); }
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 __a, __nv_bfloat16 __b) { return __nv_bfloat162(__a, __b); }
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 __value) { return __value.x; }
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 __value) { return __value.y; }
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 __value) { return ((__nv_bfloat16_raw)__value).x; }
inline short __bfloat16_as_short(__nv_bfloat16 __value) { return (short)((__nv_bfloat16_raw)__value).x; }
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short __bits) { return __nv_bfloat16_raw{__bits}; }
inline __nv_bfloat16 __short_as_bfloat16(short __bits) { return __nv_bfloat16_raw{(unsigned short)__bits}; }

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#endif
