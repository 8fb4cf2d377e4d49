/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * bfloat16: __nv_bfloat16, the upper half of a float, and the pair __nv_bfloat162. (CUDA Math API, "Bfloat16 Precision
 * Intrinsics".) Stored by its bits, so that conversions are shifts that vectorise; arithmetic is in
 * unwarp/pair_functions.h.
 */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include "cuda_fp16.h"

#if defined(__cplusplus) && (defined(__CUDA__) || __cplusplus >= 201103L)

#define __CUDA_BF16_TYPES_EXIST__

typedef struct __align__(2) {
  unsigned short x;
} __nv_bfloat16_raw;
typedef struct __align__(4) {
  unsigned short x, y;
} __nv_bfloat162_raw;

#include "unwarp/to_integer.h"

__UW_KEEP_DENORMALS_BEGIN

/* To nearest even: add just under half a unit, and the last bit that stays. NaN stays NaN. */
__UW_BOTH__ __UW_CONSTEXPR__ unsigned short __uw_bf16_bits(float __value) {
  unsigned int __bits = __uw_bit_cast(unsigned int, __value);
  return __value != __value ? (unsigned short)0x7fff : (unsigned short)((__bits + 0x7fffu + (__bits >> 16 & 1)) >> 16);
}
/* A double goes through a float that is rounded to odd: its last bit remembers what was cut off. */
__UW_BOTH__ __UW_CONSTEXPR__ float __uw_odd_float(double __value) {
  float __nearest = (float)__value;
  unsigned int __bits = __uw_bit_cast(unsigned int, __nearest);
  if (__value != __value || (double)__nearest == __value || (__bits & 1))
    return __nearest;
  bool __above = (double)__nearest > __value;
  return __uw_bit_cast(float, __nearest == 0               ? (__above ? 0x80000001u : 1u)
                              : (__nearest > 0) == __above ? __bits - 1
                                                           : __bits + 1);
}

struct __align__(2) __nv_bfloat16 {
protected:
  unsigned short __x; /* the name is libcu++'s too */

public:
  __nv_bfloat16() = default;
  __host__ __device__ __UW_CONSTEXPR__ __nv_bfloat16(const __nv_bfloat16_raw &__raw) : __x(__raw.x) {}
  __host__ __device__ __UW_CONSTEXPR__ __nv_bfloat16(float __value) : __x(__uw_bf16_bits(__value)) {}
  __host__ __device__ explicit __nv_bfloat16(const __half &__value) : __x(__uw_bf16_bits((float)__value)) {}
  __host__ __device__ __UW_CONSTEXPR__ __nv_bfloat16(double __value) : __x(__uw_bf16_bits(__uw_odd_float(__value))) {}
  __host__ __device__ __UW_CONSTEXPR__ __nv_bfloat16(short __value) : __x(__uw_bf16_bits((float)__value)) {}
  __host__ __device__ __UW_CONSTEXPR__ __nv_bfloat16(unsigned short __value) : __x(__uw_bf16_bits((float)__value)) {}
  __host__ __device__ __UW_CONSTEXPR__ __nv_bfloat16(int __value) : __nv_bfloat16((double)__value) {}
  __host__ __device__ __UW_CONSTEXPR__ __nv_bfloat16(unsigned int __value) : __nv_bfloat16((double)__value) {}
  /* The low 9 bits of a large integer only say whether there is something: double then holds it exactly. */
  __host__ __device__ __UW_CONSTEXPR__ __nv_bfloat16(unsigned long long __value)
      : __nv_bfloat16((double)(__value >> 53 ? (__value & ~0x7ffull) | ((__value & 0x7ff) ? 0x800 : 0) : __value)) {}
  __host__ __device__ __UW_CONSTEXPR__ __nv_bfloat16(long long __value)
      : __x((unsigned short)(__nv_bfloat16(__value < 0 ? 0 - (unsigned long long)__value : (unsigned long long)__value)
                                 .__x |
                             (__value < 0 ? 0x8000 : 0))) {}
  __host__ __device__ __UW_CONSTEXPR__ __nv_bfloat16(long __value) : __nv_bfloat16((long long)__value) {}
  __host__ __device__ __UW_CONSTEXPR__ __nv_bfloat16(unsigned long __value)
      : __nv_bfloat16((unsigned long long)__value) {}

  __host__ __device__ __UW_CONSTEXPR__ operator __nv_bfloat16_raw() const {
    __nv_bfloat16_raw __raw = {__x};
    return __raw;
  }
  __host__ __device__ operator __nv_bfloat16_raw() const volatile {
    __nv_bfloat16_raw __raw = {__x};
    return __raw;
  }
  __host__ __device__ __UW_CONSTEXPR__ operator float() const { return __uw_bit_cast(float, (unsigned int)__x << 16); }
  __host__ __device__ __UW_CONSTEXPR__ operator bool() const { return (__x & 0x7fff) != 0; }
#define __UW_TO(type)                                                                                                  \
  __host__ __device__ operator type() const { return __uw_to_integer<type>(__builtin_truncf((float)*this)); }
  __UW_TO(signed char)
  __UW_TO(unsigned char)
  __UW_TO(char)
  __UW_TO(short)
  __UW_TO(unsigned short)
  __UW_TO(int)
  __UW_TO(unsigned int)
  __UW_TO(long)
  __UW_TO(unsigned long)
  __UW_TO(long long)
  __UW_TO(unsigned long long)
#undef __UW_TO

  template <typename __Type>
  __host__ __device__ typename __uw_if_number<__Type, __nv_bfloat16>::type &operator=(__Type __value) {
    return *this = __nv_bfloat16(__value);
  }
  __host__ __device__ __nv_bfloat16 &operator=(const __nv_bfloat16_raw &__raw) {
    __x = __raw.x;
    return *this;
  }
  __host__ __device__ volatile __nv_bfloat16 &operator=(const __nv_bfloat16_raw &__raw) volatile {
    __x = __raw.x;
    return *this;
  }
  __host__ __device__ volatile __nv_bfloat16 &operator=(const volatile __nv_bfloat16_raw &__raw) volatile {
    __x = __raw.x;
    return *this;
  }
};

__host__ __device__ inline __half::__half(const __nv_bfloat16 &__value) : __half((float)__value) {}

struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __host__ __device__ __UW_CONSTEXPR__ __nv_bfloat162(const __nv_bfloat16 &__x, const __nv_bfloat16 &__y)
      : x(__x), y(__y) {}
  __host__ __device__ __UW_CONSTEXPR__ __nv_bfloat162(const __nv_bfloat162_raw &__raw)
      : x(__nv_bfloat16_raw{__raw.x}), y(__nv_bfloat16_raw{__raw.y}) {}
  __host__ __device__ __UW_CONSTEXPR__ operator __nv_bfloat162_raw() const {
    __nv_bfloat162_raw __raw = {((__nv_bfloat16_raw)x).x, ((__nv_bfloat16_raw)y).x};
    return __raw;
  }
};

#ifndef CUDA_NO_BFLOAT16
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif

/* Conversions of floating point numbers. */

__UW_BOTH__ __nv_bfloat16 __float2bfloat16(float __value) { return __nv_bfloat16(__value); }
__UW_BOTH__ __nv_bfloat16 __float2bfloat16_rn(float __value) { return __nv_bfloat16(__value); }
__UW_BOTH__ __nv_bfloat16 __double2bfloat16(double __value) { return __nv_bfloat16(__value); }
__UW_BOTH__ float __bfloat162float(__nv_bfloat16 __value) { return (float)__value; }
__UW_BOTH__ unsigned short __bfloat16_as_ushort(__nv_bfloat16 __value) {
  return __uw_bit_cast(unsigned short, __value);
}
__UW_BOTH__ short __bfloat16_as_short(__nv_bfloat16 __value) { return __uw_bit_cast(short, __value); }
__UW_BOTH__ __nv_bfloat16 __ushort_as_bfloat16(unsigned short __bits) { return __uw_bit_cast(__nv_bfloat16, __bits); }
__UW_BOTH__ __nv_bfloat16 __short_as_bfloat16(short __bits) { return __uw_bit_cast(__nv_bfloat16, __bits); }

/* direction: 1 up, -1 down, 0 towards zero. Cutting the low half off is towards zero; one unit more is away from it. */
__UW_BOTH__ __nv_bfloat16 __uw_bf16_directed(float __value, int __direction) {
  unsigned int __bits = __uw_bit_cast(unsigned int, __value);
  bool __away = __direction != 0 && (__direction > 0) == ((__bits >> 31) == 0) && (__bits & 0xffff) != 0;
  return __value != __value ? __nv_bfloat16(__value)
                            : __ushort_as_bfloat16((unsigned short)((__bits >> 16) + (__away ? 1 : 0)));
}
__UW_BOTH__ __nv_bfloat16 __float2bfloat16_rz(float __value) { return __uw_bf16_directed(__value, 0); }
__UW_BOTH__ __nv_bfloat16 __float2bfloat16_ru(float __value) { return __uw_bf16_directed(__value, 1); }
__UW_BOTH__ __nv_bfloat16 __float2bfloat16_rd(float __value) { return __uw_bf16_directed(__value, -1); }

/* Conversions to and from integers; an integer's float is rounded to odd first, which keeps the direction. */
__UW_BOTH__ float __uw_odd_integer(long long __value) {
  unsigned long long __size = __value < 0 ? 0 - (unsigned long long)__value : (unsigned long long)__value;
  __size = __size >> 53 ? (__size & ~0x7ffull) | ((__size & 0x7ff) ? 0x800 : 0) : __size;
  float __odd = __uw_odd_float((double)__size);
  return __value < 0 ? -__odd : __odd;
}
__UW_BOTH__ float __uw_odd_integer(unsigned long long __value) {
  return __uw_odd_float((double)(__value >> 53 ? (__value & ~0x7ffull) | ((__value & 0x7ff) ? 0x800 : 0) : __value));
}
#define __UW_CONVERT(name, type, wide)                                                                                 \
  __UW_BOTH__ type __bfloat162##name##_rn(__nv_bfloat16 __value) {                                                     \
    return __uw_to_integer<type>(__builtin_rintf(__value));                                                            \
  }                                                                                                                    \
  __UW_BOTH__ type __bfloat162##name##_rz(__nv_bfloat16 __value) {                                                     \
    return __uw_to_integer<type>(__builtin_truncf(__value));                                                           \
  }                                                                                                                    \
  __UW_BOTH__ type __bfloat162##name##_ru(__nv_bfloat16 __value) {                                                     \
    return __uw_to_integer<type>(__builtin_ceilf(__value));                                                            \
  }                                                                                                                    \
  __UW_BOTH__ type __bfloat162##name##_rd(__nv_bfloat16 __value) {                                                     \
    return __uw_to_integer<type>(__builtin_floorf(__value));                                                           \
  }                                                                                                                    \
  __UW_BOTH__ __nv_bfloat16 __##name##2bfloat16_rn(type __value) { return __nv_bfloat16((wide)__value); }              \
  __UW_BOTH__ __nv_bfloat16 __##name##2bfloat16_rz(type __value) {                                                     \
    return __uw_bf16_directed(__uw_odd_integer((wide)__value), 0);                                                     \
  }                                                                                                                    \
  __UW_BOTH__ __nv_bfloat16 __##name##2bfloat16_ru(type __value) {                                                     \
    return __uw_bf16_directed(__uw_odd_integer((wide)__value), 1);                                                     \
  }                                                                                                                    \
  __UW_BOTH__ __nv_bfloat16 __##name##2bfloat16_rd(type __value) {                                                     \
    return __uw_bf16_directed(__uw_odd_integer((wide)__value), -1);                                                    \
  }
__UW_CONVERT(short, short, long long)
__UW_CONVERT(ushort, unsigned short, long long)
__UW_CONVERT(int, int, long long)
__UW_CONVERT(uint, unsigned int, long long)
__UW_CONVERT(ll, long long, long long)
__UW_CONVERT(ull, unsigned long long, unsigned long long)
#undef __UW_CONVERT
__UW_BOTH__ signed char __bfloat162char_rz(__nv_bfloat16 __value) { return (signed char)__value; }
__UW_BOTH__ unsigned char __bfloat162uchar_rz(__nv_bfloat16 __value) { return (unsigned char)__value; }

/* Pairs. */
__UW_BOTH__ __nv_bfloat162 make_bfloat162(__nv_bfloat16 __x, __nv_bfloat16 __y) { return __nv_bfloat162(__x, __y); }
__UW_BOTH__ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 __x, __nv_bfloat16 __y) { return __nv_bfloat162(__x, __y); }
__UW_BOTH__ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 __value) { return __nv_bfloat162(__value, __value); }
__UW_BOTH__ __nv_bfloat162 __float2bfloat162_rn(float __value) { return __nv_bfloat162(__value, __value); }
__UW_BOTH__ __nv_bfloat162 __floats2bfloat162_rn(float __x, float __y) { return __nv_bfloat162(__x, __y); }
__UW_BOTH__ __nv_bfloat162 __float22bfloat162_rn(float2 __value) { return __nv_bfloat162(__value.x, __value.y); }
__UW_BOTH__ float2 __bfloat1622float2(__nv_bfloat162 __value) {
  return make_float2((float)__value.x, (float)__value.y);
}
__UW_BOTH__ float __low2float(__nv_bfloat162 __value) { return (float)__value.x; }
__UW_BOTH__ float __high2float(__nv_bfloat162 __value) { return (float)__value.y; }
__UW_BOTH__ __nv_bfloat16 __low2bfloat16(__nv_bfloat162 __value) { return __value.x; }
__UW_BOTH__ __nv_bfloat16 __high2bfloat16(__nv_bfloat162 __value) { return __value.y; }
__UW_BOTH__ __nv_bfloat162 __low2bfloat162(__nv_bfloat162 __value) { return __nv_bfloat162(__value.x, __value.x); }
__UW_BOTH__ __nv_bfloat162 __high2bfloat162(__nv_bfloat162 __value) { return __nv_bfloat162(__value.y, __value.y); }
__UW_BOTH__ __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 __value) { return __nv_bfloat162(__value.y, __value.x); }
__UW_BOTH__ __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 __left, __nv_bfloat162 __right) {
  return __nv_bfloat162(__left.x, __right.x);
}
__UW_BOTH__ __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 __left, __nv_bfloat162 __right) {
  return __nv_bfloat162(__left.y, __right.y);
}

/* The product is exact in double. The sum is rounded to odd: where it lost something its last bit is set, so that no
 * tie appears that is none. */
__UW_BOTH__ __nv_bfloat16 __uw_bf16_fused(float __left, float __right, float __addend) {
  double __product = (double)__left * (double)__right, __sum = __product + (double)__addend;
  double __big = __builtin_fabs(__product) < __builtin_fabs((double)__addend) ? (double)__addend : __product;
  double __small = __builtin_fabs(__product) < __builtin_fabs((double)__addend) ? __product : (double)__addend;
  double __lost = __small - (__sum - __big);
  unsigned long long __bits = __uw_bit_cast(unsigned long long, __sum);
  if ((__lost > 0 || __lost < 0) && !(__bits & 1) && __sum != 0)
    __sum = __uw_bit_cast(double, (__lost > 0) == (__sum > 0) ? __bits + 1 : __bits - 1);
  return __nv_bfloat16(__sum);
}

#define __UW_NUMBER __nv_bfloat16
#define __UW_PAIR __nv_bfloat162
#define __UW_ROUND __float2bfloat16_rn
#define __UW_FUSED __uw_bf16_fused
#define __uw_saturate __uw_bf16_saturate
#define __uw_rectify __uw_bf16_rectify
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define __UW_NUMBER_OPERATORS 0
#else
#define __UW_NUMBER_OPERATORS 1
#endif
#ifdef __CUDA_NO_BFLOAT162_OPERATORS__
#define __UW_PAIR_OPERATORS 0
#else
#define __UW_PAIR_OPERATORS 1
#endif
#include "unwarp/pair_functions.h"
#undef __UW_NUMBER_OPERATORS
#undef __UW_PAIR_OPERATORS
#undef __UW_NUMBER
#undef __UW_PAIR
#undef __UW_ROUND
#undef __UW_FUSED
#undef __uw_saturate
#undef __uw_rectify

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)

__UW_KEEP_DENORMALS_END

#endif
#endif
