/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Floating point numbers of 8, 6 and 4 bits, which are only stored: conversions from and to the larger types, rounded
 * to nearest even, and the classes of one, two and four of them. (CUDA Math API, "FP8 / FP6 / FP4 Intrinsics"; OCP
 * Microscaling Formats, section 5.3.)
 *
 * A format is its numbers of exponent and fraction bits; the greatest finite code follows from what it spends on
 * infinities and NaN: e5m2 has both, as IEEE does, e4m3 only the NaN 0x7f, the shorter ones neither.
 */
#ifndef UNWARP_SMALL_FLOAT_H
#define UNWARP_SMALL_FLOAT_H

#include "both_sides.h"
#include "to_integer.h"

#ifdef __CUDA__
#define __UW_SMALL_FLOAT__ __attribute__((host, device, always_inline))
#else
#define __UW_SMALL_FLOAT__
#endif

template <int __exponent_bits, int __fraction_bits> struct __uw_small_float {
  static constexpr int __bias = (1 << (__exponent_bits - 1)) - 1;
  static constexpr int __width = __exponent_bits + __fraction_bits; /* without the sign */
  static constexpr unsigned int __all = (1u << __width) - 1;
  static constexpr bool __has_nan = __width == 7, __has_infinity = __exponent_bits == 5;
  static constexpr unsigned int __infinity = __all & ~((1u << __fraction_bits) - 1);
  static constexpr unsigned int __most = __has_infinity ? __infinity - 1 : __has_nan ? __all - 1 : __all;

  /* Beyond the greatest number: that number if saturate, else infinity, or NaN where there is none. */
  static __UW_SMALL_FLOAT__ unsigned int __encode(float __value, bool __saturate) {
    const unsigned int __bits = __uw_bit_cast(unsigned int, __value), __size = __bits & 0x7fffffffu;
    const unsigned int __sign = __bits >> 31 << __width;
    if (__value != __value)
      return __has_nan ? __all : __most;
    unsigned int __code;
    if (__size < (unsigned int)(128 - __bias) << 23) { /* below the least normal number: an addition rounds */
      const unsigned int __unit = (unsigned int)(151 - __bias - __fraction_bits) << 23;
      __code = __uw_bit_cast(unsigned int, __uw_bit_cast(float, __size) + __uw_bit_cast(float, __unit)) - __unit;
    } else {
      const int __cut = 23 - __fraction_bits;
      __code = ((__size + (1u << (__cut - 1)) - 1 + (__size >> __cut & 1)) >> __cut) -
               ((unsigned int)(127 - __bias) << __fraction_bits);
    }
    if (__code > __most)
      __code = __saturate || !__has_nan ? __most : __has_infinity ? __infinity : __all;
    return __sign | __code;
  }
  /* Towards zero: what is cut off is lost, and the greatest number is the nearest of all beyond it. */
  static __UW_SMALL_FLOAT__ unsigned int __truncate(float __value) {
    const unsigned int __bits = __uw_bit_cast(unsigned int, __value), __size = __bits & 0x7fffffffu;
    const unsigned int __sign = __bits >> 31 << __width;
    if (__value != __value)
      return __has_nan ? __all : __most;
    unsigned int __code;
    if (__size < (unsigned int)(128 - __bias) << 23)
      __code = (unsigned int)(__uw_bit_cast(float, __size) *
                              __uw_bit_cast(float, (unsigned int)(126 + __bias + __fraction_bits) << 23));
    else
      __code = (__size >> (23 - __fraction_bits)) - ((unsigned int)(127 - __bias) << __fraction_bits);
    return __sign | (__code > __most ? __most : __code);
  }
  static __UW_SMALL_FLOAT__ float __decode(unsigned int __code) {
    const unsigned int __size = __code & __all, __sign = (__code >> __width & 1) << 31;
    unsigned int __bits = (__size << (23 - __fraction_bits)) + ((unsigned int)(127 - __bias) << 23);
    if (__size < 1u << __fraction_bits)
      __bits = __uw_bit_cast(unsigned int,
                             (float)__size *__uw_bit_cast(float, (unsigned int)(128 - __bias - __fraction_bits) << 23));
    else if (__has_nan && __size > __most)
      __bits = __has_infinity && __size == __infinity ? 0x7f800000u : 0x7fc00000u;
    return __uw_bit_cast(float, __sign | __bits);
  }
};

/* The conversions of the formats that always saturate, by names: to storage, of which two numbers lie bits apart, with
 * call(function, arguments) the choice of a format, and back by way of float. */
#define __UW_SHORT_CONVERSIONS(kind, bits, call)                                                                       \
  __UW_BOTH__ __nv_##kind##_storage_t __nv_cvt_float_to_##kind(                                                        \
      const float __value, const __nv_##kind##_interpretation_t __format, const enum cudaRoundMode __rounding) {       \
    return (__nv_##kind##_storage_t)(__rounding == cudaRoundZero ? call(__format, __truncate(__value))                 \
                                                                 : call(__format, __encode(__value, true)));           \
  }                                                                                                                    \
  __UW_SHORT_FROM(kind, double, double, __uw_odd_float(__value))                                                       \
  __UW_SHORT_FROM(kind, halfraw, __half_raw, (float)__half(__value))                                                   \
  __UW_SHORT_FROM(kind, bfloat16raw, __nv_bfloat16_raw, (float)__nv_bfloat16(__value))                                 \
  __UW_SHORT_PAIR(kind, bits, float2, float2, float, __value.x, __value.y)                                             \
  __UW_SHORT_PAIR(kind, bits, double2, double2, double, __value.x, __value.y)                                          \
  __UW_SHORT_PAIR(kind, bits, halfraw2, __half2_raw, halfraw, __half_raw{__value.x}, __half_raw{__value.y})            \
  __UW_SHORT_PAIR(kind, bits, bfloat16raw2, __nv_bfloat162_raw, bfloat16raw, __nv_bfloat16_raw{__value.x},             \
                  __nv_bfloat16_raw{__value.y})                                                                        \
  __UW_BOTH__ __half_raw __nv_cvt_##kind##_to_halfraw(const __nv_##kind##_storage_t __code,                            \
                                                      const __nv_##kind##_interpretation_t __format) {                 \
    return __half(call(__format, __decode(__code)));                                                                   \
  }                                                                                                                    \
  __UW_BOTH__ __half2_raw __nv_cvt_##kind##x2_to_halfraw2(const __nv_##kind##x2_storage_t __codes,                     \
                                                          const __nv_##kind##_interpretation_t __format) {             \
    return __half2_raw{                                                                                                \
        __nv_cvt_##kind##_to_halfraw((__nv_##kind##_storage_t)(__codes & ((1u << bits) - 1)), __format).x,             \
        __nv_cvt_##kind##_to_halfraw((__nv_##kind##_storage_t)(__codes >> bits), __format).x};                         \
  }
#define __UW_SHORT_FROM(kind, name, type, as_float)                                                                    \
  __UW_BOTH__ __nv_##kind##_storage_t __nv_cvt_##name##_to_##kind(                                                     \
      const type __value, const __nv_##kind##_interpretation_t __format, const enum cudaRoundMode __rounding) {        \
    return __nv_cvt_float_to_##kind(as_float, __format, __rounding);                                                   \
  }
#define __UW_SHORT_PAIR(kind, bits, name, type, one, first, second)                                                    \
  __UW_BOTH__ __nv_##kind##x2_storage_t __nv_cvt_##name##_to_##kind##x2(                                               \
      const type __value, const __nv_##kind##_interpretation_t __format, const enum cudaRoundMode __rounding) {        \
    return (__nv_##kind##x2_storage_t)(__nv_cvt_##one##_to_##kind(first, __format, __rounding) |                       \
                                       __nv_cvt_##one##_to_##kind(second, __format, __rounding) << bits);              \
  }

/* A class of one number, and of two and four packed with the first in the lowest bits. bits is the width of each. */
#define __UW_SMALL_CLASS(name, exponent_bits, fraction_bits, storage)                                                  \
  struct name {                                                                                                        \
    storage __x;                                                                                                       \
    name() = default;                                                                                                  \
    explicit __host__ __device__ name(const __half __value) : name((float)__value) {}                                  \
    explicit __host__ __device__ name(const __nv_bfloat16 __value) : name((float)__value) {}                           \
    explicit __host__ __device__ name(const float __value)                                                             \
        : __x((storage)__uw_small_float<exponent_bits, fraction_bits>::__encode(__value, true)) {}                     \
    explicit __host__ __device__ name(const double __value) : name(__uw_odd_float(__value)) {}                         \
    explicit __host__ __device__ name(const unsigned short __value) : name((float)__value) {}                          \
    explicit __host__ __device__ name(const unsigned int __value) : name((float)__value) {}                            \
    explicit __host__ __device__ name(const unsigned long __value) : name((float)__value) {}                           \
    explicit __host__ __device__ name(const unsigned long long __value) : name((float)__value) {}                      \
    explicit __host__ __device__ name(const short __value) : name((float)__value) {}                                   \
    explicit __host__ __device__ name(const int __value) : name((float)__value) {}                                     \
    explicit __host__ __device__ name(const long __value) : name((float)__value) {}                                    \
    explicit __host__ __device__ name(const long long __value) : name((float)__value) {}                               \
    explicit __host__ __device__ operator float() const {                                                              \
      return __uw_small_float<exponent_bits, fraction_bits>::__decode(__x);                                            \
    }                                                                                                                  \
    explicit __host__ __device__ operator __half() const { return __half((float)*this); }                              \
    explicit __host__ __device__ operator __nv_bfloat16() const { return __nv_bfloat16((float)*this); }                \
    explicit __host__ __device__ operator double() const { return (double)(float)*this; }                              \
    explicit __host__ __device__ operator bool() const { return (float)*this != 0.0f; }                                \
    __UW_SMALL_TO(signed char)                                                                                         \
    __UW_SMALL_TO(unsigned char)                                                                                       \
    __UW_SMALL_TO(char)                                                                                                \
    __UW_SMALL_TO(short)                                                                                               \
    __UW_SMALL_TO(unsigned short)                                                                                      \
    __UW_SMALL_TO(int)                                                                                                 \
    __UW_SMALL_TO(unsigned int)                                                                                        \
    __UW_SMALL_TO(long)                                                                                                \
    __UW_SMALL_TO(unsigned long)                                                                                       \
    __UW_SMALL_TO(long long)                                                                                           \
    __UW_SMALL_TO(unsigned long long)                                                                                  \
  };
#define __UW_SMALL_TO(type)                                                                                            \
  explicit __host__ __device__ operator type() const { return __uw_to_integer<type>(__builtin_truncf((float)*this)); }
#define __UW_SMALL_PAIR_CLASS(name, one, storage, bits)                                                                \
  struct __align__(sizeof(storage)) name {                                                                             \
    storage __x;                                                                                                       \
    name() = default;                                                                                                  \
    explicit __host__ __device__ name(const __half2 __value) : __x(__pack(one(__value.x), one(__value.y))) {}          \
    explicit __host__ __device__ name(const __nv_bfloat162 __value) : __x(__pack(one(__value.x), one(__value.y))) {}   \
    explicit __host__ __device__ name(const float2 __value) : __x(__pack(one(__value.x), one(__value.y))) {}           \
    explicit __host__ __device__ name(const double2 __value) : __x(__pack(one(__value.x), one(__value.y))) {}          \
    explicit __host__ __device__ operator __half2() const {                                                            \
      return __half2((__half)__at<one>(__x, 0), (__half)__at<one>(__x, bits));                                         \
    }                                                                                                                  \
    explicit __host__ __device__ operator __nv_bfloat162() const {                                                     \
      return __nv_bfloat162((__nv_bfloat16)__at<one>(__x, 0), (__nv_bfloat16)__at<one>(__x, bits));                    \
    }                                                                                                                  \
    explicit __host__ __device__ operator float2() const {                                                             \
      return float2{(float)__at<one>(__x, 0), (float)__at<one>(__x, bits)};                                            \
    }                                                                                                                  \
                                                                                                                       \
  private:                                                                                                             \
    static __host__ __device__ storage __pack(one __first, one __second) {                                             \
      return (storage)(__first.__x | (unsigned int)__second.__x << bits);                                              \
    }                                                                                                                  \
    template <typename __One> static __host__ __device__ __One __at(unsigned int __codes, int __shift) {               \
      __One __one;                                                                                                     \
      __one.__x = (decltype(__one.__x))(__codes >> __shift & ((1u << bits) - 1));                                      \
      return __one;                                                                                                    \
    }                                                                                                                  \
  };
#define __UW_SMALL_QUAD_CLASS(name, pair, storage, pair_storage)                                                       \
  struct __align__(sizeof(storage)) name {                                                                             \
    storage __x;                                                                                                       \
    name() = default;                                                                                                  \
    explicit __host__ __device__ name(const __half2 __low, const __half2 __high)                                       \
        : __x(__pack(pair(__low), pair(__high))) {}                                                                    \
    explicit __host__ __device__ name(const __nv_bfloat162 __low, const __nv_bfloat162 __high)                         \
        : __x(__pack(pair(__low), pair(__high))) {}                                                                    \
    explicit __host__ __device__ name(const float4 __value)                                                            \
        : __x(__pack(pair(float2{__value.x, __value.y}), pair(float2{__value.z, __value.w}))) {}                       \
    explicit __host__ __device__ name(const double4 __value)                                                           \
        : __x(__pack(pair(double2{__value.x, __value.y}), pair(double2{__value.z, __value.w}))) {}                     \
    explicit __host__ __device__ operator float4() const {                                                             \
      pair __low, __high;                                                                                              \
      __low.__x = (pair_storage)__x;                                                                                   \
      __high.__x = (pair_storage)(__x >> 8 * sizeof(pair_storage));                                                    \
      const float2 __first = (float2)__low, __second = (float2)__high;                                                 \
      return float4{__first.x, __first.y, __second.x, __second.y};                                                     \
    }                                                                                                                  \
                                                                                                                       \
  private:                                                                                                             \
    static __host__ __device__ storage __pack(pair __low, pair __high) {                                               \
      return (storage)(__low.__x | (storage)__high.__x << 8 * sizeof(pair_storage));                                   \
    }                                                                                                                  \
  };

#endif
