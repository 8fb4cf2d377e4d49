/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Half precision: __half (1 sign, 5 exponent, 10 fraction bits) and the pair __half2. (CUDA Math API, "Half Precision
 * Intrinsics".) Stored by its bits, which the compiler's _Float16 gives
 * a meaning; arithmetic is in unwarp/pair_functions.h.
 */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include "cuda_runtime.h"

#if defined(__cplusplus) && (defined(__CUDA__) || __cplusplus >= 201103L)

#define __CUDA_FP16_TYPES_EXIST__

typedef struct __align__(2) {
  unsigned short x;
} __half_raw;
typedef struct __align__(4) {
  unsigned short x, y;
} __half2_raw;

#include "unwarp/both_sides.h"
#include "unwarp/to_integer.h"
#ifndef __CUDA__
#include "unwarp/half_host.h"
#endif

__UW_KEEP_DENORMALS_BEGIN

struct __nv_bfloat16;
struct __align__(2) __half {
protected:
  unsigned short __x; /* the name is libcu++'s too, which derives from this class */
  __host__ __device__ __UW_CONSTEXPR__ __uw_float16 __number() const { return __uw_bit_cast(__uw_float16, __x); }

public:
  __half() = default;
  __host__ __device__ __UW_CONSTEXPR__ __half(__uw_float16 __value) : __x(__uw_bit_cast(unsigned short, __value)) {}
  __host__ __device__ __half(const __half_raw &__raw) : __x(__raw.x) {}
  __host__ __device__ __UW_CONSTEXPR__ __half(float __value) : __half((__uw_float16)__value) {}
  __host__ __device__ __UW_CONSTEXPR__ __half(double __value) : __half((__uw_float16)__value) {}
  __host__ __device__ __UW_CONSTEXPR__ __half(short __value) : __half((__uw_float16)(float)__value) {}
  __host__ __device__ __UW_CONSTEXPR__ __half(unsigned short __value) : __half((__uw_float16)(float)__value) {}
  __host__ __device__ __UW_CONSTEXPR__ __half(int __value) : __half((__uw_float16)(double)__value) {}
  __host__ __device__ __UW_CONSTEXPR__ __half(unsigned int __value) : __half((__uw_float16)(double)__value) {}
  /* What double does not hold exactly is infinite in half. */
  __host__ __device__ __UW_CONSTEXPR__ __half(long __value) : __half((__uw_float16)(double)__value) {}
  __host__ __device__ __UW_CONSTEXPR__ __half(unsigned long __value) : __half((__uw_float16)(double)__value) {}
  __host__ __device__ __UW_CONSTEXPR__ __half(long long __value) : __half((__uw_float16)(double)__value) {}
  __host__ __device__ __UW_CONSTEXPR__ __half(unsigned long long __value) : __half((__uw_float16)(double)__value) {}
  __host__ __device__ explicit inline __half(const __nv_bfloat16 &__value); /* defined in cuda_bf16.h */

  __host__ __device__ operator __half_raw() const {
    __half_raw __raw = {__x};
    return __raw;
  }
  __host__ __device__ operator __half_raw() const volatile {
    __half_raw __raw = {__x};
    return __raw;
  }
  __host__ __device__ __UW_CONSTEXPR__ operator float() const { return (float)__number(); }
  __host__ __device__ __UW_CONSTEXPR__ operator bool() const { return (float)__number() != 0.0f; }
#define __UW_TO(type)                                                                                                  \
  __host__ __device__ operator type() const { return __uw_to_integer<type>(__builtin_truncf((float)__number())); }
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
  __host__ __device__ typename __uw_if_number<__Type, __half>::type &operator=(__Type __value) {
    return *this = __half(__value);
  }
  __host__ __device__ __half &operator=(const __half_raw &__raw) {
    __x = __raw.x;
    return *this;
  }
  __host__ __device__ volatile __half &operator=(const __half_raw &__raw) volatile {
    __x = __raw.x;
    return *this;
  }
  __host__ __device__ volatile __half &operator=(const volatile __half_raw &__raw) volatile {
    __x = __raw.x;
    return *this;
  }
};

struct __align__(4) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ __UW_CONSTEXPR__ __half2(const __half &__x, const __half &__y) : x(__x), y(__y) {}
  __host__ __device__ __half2(const __half2_raw &__raw) : x(__half_raw{__raw.x}), y(__half_raw{__raw.y}) {}
  __host__ __device__ operator __half2_raw() const {
    __half2_raw __raw = {((__half_raw)x).x, ((__half_raw)y).x};
    return __raw;
  }
};

#include "unwarp/half_aliases.h"

/* Conversions of floating point numbers. The directed ones move the nearest half by one unit where it lies on the wrong
 * side of the value. */

__UW_BOTH__ __half __float2half(float __value) { return __half(__value); }
__UW_BOTH__ __half __float2half_rn(float __value) { return __half(__value); }
__UW_BOTH__ __half __double2half(double __value) { return __half(__value); }
__UW_BOTH__ float __half2float(__half __value) { return (float)__value; }
__UW_BOTH__ unsigned short __half_as_ushort(__half __value) { return __uw_bit_cast(unsigned short, __value); }
__UW_BOTH__ short __half_as_short(__half __value) { return __uw_bit_cast(short, __value); }
__UW_BOTH__ __half __ushort_as_half(unsigned short __bits) { return __uw_bit_cast(__half, __bits); }
__UW_BOTH__ __half __short_as_half(short __bits) { return __uw_bit_cast(__half, __bits); }

/* direction: 1 up, -1 down, 0 towards zero. */
__UW_BOTH__ __half __uw_half_directed(double __value, int __direction) {
  __half __nearest = __half(__value);
  double __near = (double)(float)__nearest;
  unsigned short __bits = __half_as_ushort(__nearest);
  if (__direction == 0)
    __direction = __value < 0 ? 1 : -1;
  if (__direction > 0 && __near < __value)
    return __ushort_as_half(__near == 0 ? 0x0001 : (unsigned short)(__near > 0 ? __bits + 1 : __bits - 1));
  if (__direction < 0 && __near > __value)
    return __ushort_as_half(__near == 0 ? 0x8001 : (unsigned short)(__near > 0 ? __bits - 1 : __bits + 1));
  return __nearest;
}
__UW_BOTH__ __half __float2half_rz(float __value) { return __uw_half_directed(__value, 0); }
__UW_BOTH__ __half __float2half_ru(float __value) { return __uw_half_directed(__value, 1); }
__UW_BOTH__ __half __float2half_rd(float __value) { return __uw_half_directed(__value, -1); }

/* Conversions to and from integers. A 64-bit integer that double rounds is far above the largest half. */
#define __UW_CONVERT(name, type)                                                                                       \
  __UW_BOTH__ type __half2##name##_rn(__half __value) { return __uw_to_integer<type>(__builtin_rintf(__value)); }      \
  __UW_BOTH__ type __half2##name##_rz(__half __value) { return __uw_to_integer<type>(__builtin_truncf(__value)); }     \
  __UW_BOTH__ type __half2##name##_ru(__half __value) { return __uw_to_integer<type>(__builtin_ceilf(__value)); }      \
  __UW_BOTH__ type __half2##name##_rd(__half __value) { return __uw_to_integer<type>(__builtin_floorf(__value)); }     \
  __UW_BOTH__ __half __##name##2half_rn(type __value) { return __half((double)__value); }                              \
  __UW_BOTH__ __half __##name##2half_rz(type __value) { return __uw_half_directed((double)__value, 0); }               \
  __UW_BOTH__ __half __##name##2half_ru(type __value) { return __uw_half_directed((double)__value, 1); }               \
  __UW_BOTH__ __half __##name##2half_rd(type __value) { return __uw_half_directed((double)__value, -1); }
__UW_CONVERT(short, short)
__UW_CONVERT(ushort, unsigned short)
__UW_CONVERT(int, int)
__UW_CONVERT(uint, unsigned int)
__UW_CONVERT(ll, long long)
__UW_CONVERT(ull, unsigned long long)
#undef __UW_CONVERT
__UW_BOTH__ signed char __half2char_rz(__half __value) { return (signed char)__value; }
__UW_BOTH__ unsigned char __half2uchar_rz(__half __value) { return (unsigned char)__value; }

/* Pairs. */
__UW_BOTH__ __half2 make_half2(__half __x, __half __y) { return __half2(__x, __y); }
__UW_BOTH__ __half2 __halves2half2(__half __x, __half __y) { return __half2(__x, __y); }
__UW_BOTH__ __half2 __half2half2(__half __value) { return __half2(__value, __value); }
__UW_BOTH__ __half2 __float2half2_rn(float __value) { return __half2(__half(__value), __half(__value)); }
__UW_BOTH__ __half2 __floats2half2_rn(float __x, float __y) { return __half2(__half(__x), __half(__y)); }
__UW_BOTH__ __half2 __float22half2_rn(float2 __value) { return __half2(__half(__value.x), __half(__value.y)); }
__UW_BOTH__ float2 __half22float2(__half2 __value) { return make_float2((float)__value.x, (float)__value.y); }
__UW_BOTH__ float __low2float(__half2 __value) { return (float)__value.x; }
__UW_BOTH__ float __high2float(__half2 __value) { return (float)__value.y; }
__UW_BOTH__ __half __low2half(__half2 __value) { return __value.x; }
__UW_BOTH__ __half __high2half(__half2 __value) { return __value.y; }
__UW_BOTH__ __half2 __low2half2(__half2 __value) { return __half2(__value.x, __value.x); }
__UW_BOTH__ __half2 __high2half2(__half2 __value) { return __half2(__value.y, __value.y); }
__UW_BOTH__ __half2 __lowhigh2highlow(__half2 __value) { return __half2(__value.y, __value.x); }
__UW_BOTH__ __half2 __lows2half2(__half2 __left, __half2 __right) { return __half2(__left.x, __right.x); }
__UW_BOTH__ __half2 __highs2half2(__half2 __left, __half2 __right) { return __half2(__left.y, __right.y); }

/* The product is exact in float. The sum is rounded to odd: where it lost something its last bit is set, so that no tie
 * appears that is none. All in float, of which a vector has twice as many as of double. */
__UW_BOTH__ __half __uw_half_fused(float __left, float __right, float __addend) {
  float __product = __left * __right, __sum = __product + __addend;
  float __of_product = __sum - __addend, __of_addend = __sum - __of_product;
  float __lost =
      (__product - __of_product) + (__addend - __of_addend); /* exact, by Knuth; not a number where the sum is none */
  int __bits = __uw_bit_cast(int, __sum);
  int __step = (__uw_bit_cast(int, __lost) ^ __bits) < 0 ? -1 : 1;
  bool __is_even_and_less = (__lost > 0 || __lost < 0) && !(__bits & 1);
  return __half(__uw_bit_cast(float, __bits + (__is_even_and_less ? __step : 0)));
}

#define __UW_NUMBER __half
#define __UW_PAIR __half2
#define __UW_ROUND __float2half_rn
#define __UW_FUSED __uw_half_fused
#define __uw_saturate __uw_half_saturate
#define __uw_rectify __uw_half_rectify
#ifdef __CUDA_NO_HALF_OPERATORS__
#define __UW_NUMBER_OPERATORS 0
#else
#define __UW_NUMBER_OPERATORS 1
#endif
#ifdef __CUDA_NO_HALF2_OPERATORS__
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

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)

__UW_KEEP_DENORMALS_END

#endif
#endif
