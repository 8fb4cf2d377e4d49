/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Device intrinsics on scalars: bits and integers, casts and conversions, arithmetic with a rounding mode, fast math.
 * (CUDA Math API, "Integer Intrinsics", "Type Casting Intrinsics", "Single / Double Precision Intrinsics".)
 *
 * Each is one instruction of LLVM, or one function of libdevice/ under its __nv_ name.
 */
#ifndef UNWARP_INTRINSICS_H
#define UNWARP_INTRINSICS_H

/* Bits and integers. */

__UW_DEVICE__ unsigned int __brev(unsigned int __value) { return __builtin_bitreverse32(__value); }
__UW_DEVICE__ unsigned long long __brevll(unsigned long long __value) { return __builtin_bitreverse64(__value); }
__UW_DEVICE__ int __popc(unsigned int __value) { return __builtin_popcount(__value); }
__UW_DEVICE__ int __popcll(unsigned long long __value) { return __builtin_popcountll(__value); }
__UW_DEVICE__ int __clz(int __value) { return __builtin_clzg((unsigned int)__value, 32); }
__UW_DEVICE__ int __clzll(long long __value) { return __builtin_clzg((unsigned long long)__value, 64); }
__UW_DEVICE__ int __ffs(int __value) { return __builtin_ctzg((unsigned int)__value, -1) + 1; }
__UW_DEVICE__ int __ffsll(long long __value) { return __builtin_ctzg((unsigned long long)__value, -1) + 1; }
__UW_DEVICE__ unsigned int __byte_perm(unsigned int __low, unsigned int __high, unsigned int __selector) {
  return (unsigned int)__nv_byte_perm((int)__low, (int)__high, (int)__selector);
}

__UW_DEVICE__ int __mul24(int __left, int __right) { return __nv_mul24(__left, __right); }
__UW_DEVICE__ unsigned int __umul24(unsigned int __left, unsigned int __right) { return __nv_umul24(__left, __right); }
__UW_DEVICE__ int __mulhi(int __left, int __right) { return __nv_mulhi(__left, __right); }
__UW_DEVICE__ unsigned int __umulhi(unsigned int __left, unsigned int __right) { return __nv_umulhi(__left, __right); }
__UW_DEVICE__ long long __mul64hi(long long __left, long long __right) { return __nv_mul64hi(__left, __right); }
__UW_DEVICE__ unsigned long long __umul64hi(unsigned long long __left, unsigned long long __right) {
  return __nv_umul64hi(__left, __right);
}
__UW_DEVICE__ unsigned int __sad(int __left, int __right, unsigned int __sum) {
  return (unsigned int)__nv_sad(__left, __right, (int)__sum);
}
__UW_DEVICE__ unsigned int __usad(unsigned int __left, unsigned int __right, unsigned int __sum) {
  return __nv_usad(__left, __right, __sum);
}
__UW_DEVICE__ int __hadd(int __left, int __right) { return __nv_hadd(__left, __right); }
__UW_DEVICE__ int __rhadd(int __left, int __right) { return __nv_rhadd(__left, __right); }
__UW_DEVICE__ unsigned int __uhadd(unsigned int __left, unsigned int __right) {
  return (unsigned int)__nv_uhadd(__left, __right);
}
__UW_DEVICE__ unsigned int __urhadd(unsigned int __left, unsigned int __right) { return __nv_urhadd(__left, __right); }

/* Names that CUDA had once. Programs have functions of these names, which as plain functions are preferred to these. */
#define __UW_OLD_NAME template <int = 0> __UW_DEVICE__
__UW_OLD_NAME int mulhi(int __left, int __right) { return __mulhi(__left, __right); }
__UW_OLD_NAME unsigned int mulhi(unsigned int __left, unsigned int __right) { return __umulhi(__left, __right); }
__UW_OLD_NAME unsigned int mulhi(int __left, unsigned int __right) { return __umulhi((unsigned int)__left, __right); }
__UW_OLD_NAME unsigned int mulhi(unsigned int __left, int __right) { return __umulhi(__left, (unsigned int)__right); }
__UW_OLD_NAME long long mul64hi(long long __left, long long __right) { return __mul64hi(__left, __right); }
__UW_OLD_NAME unsigned long long mul64hi(unsigned long long __left, unsigned long long __right) {
  return __umul64hi(__left, __right);
}
__UW_OLD_NAME int mul24(int __left, int __right) { return __mul24(__left, __right); }
__UW_OLD_NAME unsigned int umul24(unsigned int __left, unsigned int __right) { return __umul24(__left, __right); }
__UW_OLD_NAME int float2int(float __value) { return __nv_float2int_rz(__value); }
__UW_OLD_NAME unsigned int float2uint(float __value) { return __nv_float2uint_rz(__value); }
__UW_OLD_NAME float int2float(int __value) { return (float)__value; }
__UW_OLD_NAME float uint2float(unsigned int __value) { return (float)__value; }
__UW_OLD_NAME float saturate(float __value) { return __nv_saturatef(__value); }

__UW_BOTH__ unsigned short __nv_bswap16(unsigned short __value) { return __builtin_bswap16(__value); }
__UW_BOTH__ unsigned int __nv_bswap32(unsigned int __value) { return __builtin_bswap32(__value); }
__UW_BOTH__ unsigned long long __nv_bswap64(unsigned long long __value) { return __builtin_bswap64(__value); }

__UW_DEVICE__ unsigned int __funnelshift_l(unsigned int __low, unsigned int __high, unsigned int __shift) {
  __shift &= 31;
  return (unsigned int)((((unsigned long long)__high << 32 | __low) << __shift) >> 32);
}
__UW_DEVICE__ unsigned int __funnelshift_lc(unsigned int __low, unsigned int __high, unsigned int __shift) {
  __shift = __shift > 32 ? 32 : __shift;
  return (unsigned int)((((unsigned long long)__high << 32 | __low) << __shift) >> 32);
}
__UW_DEVICE__ unsigned int __funnelshift_r(unsigned int __low, unsigned int __high, unsigned int __shift) {
  __shift &= 31;
  return (unsigned int)(((unsigned long long)__high << 32 | __low) >> __shift);
}
__UW_DEVICE__ unsigned int __funnelshift_rc(unsigned int __low, unsigned int __high, unsigned int __shift) {
  __shift = __shift > 32 ? 32 : __shift;
  return (unsigned int)(((unsigned long long)__high << 32 | __low) >> __shift);
}

/* Dot products of four 8-bit values, or of two 16-bit values with the low or the high two 8-bit ones. */
#define __UW_BYTE(type, word, index) ((int)(type)((unsigned int)(word) >> 8 * (index)))
#define __UW_HALF(type, word, index) ((int)(type)((unsigned int)(word) >> 16 * (index)))
#define __UW_DOT4(result, left_type, right_type, left_byte, right_byte)                                                \
  __UW_DEVICE__ result __dp4a(left_type __left, right_type __right, result __sum) {                                    \
    for (int __i = 0; __i < 4; ++__i)                                                                                  \
      __sum = (result)((unsigned int)__sum +                                                                           \
                       (unsigned int)(__UW_BYTE(left_byte, __left, __i) * __UW_BYTE(right_byte, __right, __i)));       \
    return __sum;                                                                                                      \
  }
__UW_DOT4(int, int, int, signed char, signed char)
__UW_DOT4(unsigned int, unsigned int, unsigned int, unsigned char, unsigned char)
#undef __UW_DOT4
#define __UW_DOT2(name, first, result, type, half, byte)                                                               \
  __UW_DEVICE__ result name(type __left, type __right, result __sum) {                                                 \
    return (result)((unsigned int)__sum +                                                                              \
                    (unsigned int)(__UW_HALF(half, __left, 0) * __UW_BYTE(byte, __right, first)) +                     \
                    (unsigned int)(__UW_HALF(half, __left, 1) * __UW_BYTE(byte, __right, first + 1)));                 \
  }
__UW_DOT2(__dp2a_lo, 0, int, int, short, signed char)
__UW_DOT2(__dp2a_lo, 0, unsigned int, unsigned int, unsigned short, unsigned char)
__UW_DOT2(__dp2a_hi, 2, int, int, short, signed char)
__UW_DOT2(__dp2a_hi, 2, unsigned int, unsigned int, unsigned short, unsigned char)
#undef __UW_DOT2
#undef __UW_HALF
#undef __UW_BYTE

__UW_DEVICE__ int __dp4a(char4 __left, char4 __right, int __sum) {
  return __dp4a(__builtin_bit_cast(int, __left), __builtin_bit_cast(int, __right), __sum);
}
__UW_DEVICE__ unsigned int __dp4a(uchar4 __left, uchar4 __right, unsigned int __sum) {
  return __dp4a(__builtin_bit_cast(unsigned int, __left), __builtin_bit_cast(unsigned int, __right), __sum);
}
__UW_DEVICE__ int __dp2a_lo(short2 __left, char4 __right, int __sum) {
  return __dp2a_lo(__builtin_bit_cast(int, __left), __builtin_bit_cast(int, __right), __sum);
}
__UW_DEVICE__ unsigned int __dp2a_lo(ushort2 __left, uchar4 __right, unsigned int __sum) {
  return __dp2a_lo(__builtin_bit_cast(unsigned int, __left), __builtin_bit_cast(unsigned int, __right), __sum);
}
__UW_DEVICE__ int __dp2a_hi(short2 __left, char4 __right, int __sum) {
  return __dp2a_hi(__builtin_bit_cast(int, __left), __builtin_bit_cast(int, __right), __sum);
}
__UW_DEVICE__ unsigned int __dp2a_hi(ushort2 __left, uchar4 __right, unsigned int __sum) {
  return __dp2a_hi(__builtin_bit_cast(unsigned int, __left), __builtin_bit_cast(unsigned int, __right), __sum);
}

/* Casts. */

__UW_DEVICE__ int __float_as_int(float __value) { return __builtin_bit_cast(int, __value); }
__UW_DEVICE__ unsigned int __float_as_uint(float __value) { return __builtin_bit_cast(unsigned int, __value); }
__UW_DEVICE__ float __int_as_float(int __bits) { return __builtin_bit_cast(float, __bits); }
__UW_DEVICE__ float __uint_as_float(unsigned int __bits) { return __builtin_bit_cast(float, __bits); }
__UW_DEVICE__ long long __double_as_longlong(double __value) { return __builtin_bit_cast(long long, __value); }
__UW_DEVICE__ double __longlong_as_double(long long __bits) { return __builtin_bit_cast(double, __bits); }
__UW_DEVICE__ int __double2hiint(double __value) { return (int)(__builtin_bit_cast(long long, __value) >> 32); }
__UW_DEVICE__ int __double2loint(double __value) { return (int)__builtin_bit_cast(long long, __value); }
__UW_DEVICE__ double __hiloint2double(int __high, int __low) {
  return __builtin_bit_cast(double, (unsigned long long)(unsigned int)__high << 32 | (unsigned int)__low);
}

/* Conversions, each with its rounding mode: rn to nearest even, rz towards zero, ru up, rd down. */

#define __UW_CONVERT(from, to, from_type, to_type)                                                                     \
  __UW_DEVICE__ to_type __##from##2##to##_rn(from_type __value) { return __nv_##from##2##to##_rn(__value); }           \
  __UW_DEVICE__ to_type __##from##2##to##_rz(from_type __value) { return __nv_##from##2##to##_rz(__value); }           \
  __UW_DEVICE__ to_type __##from##2##to##_ru(from_type __value) { return __nv_##from##2##to##_ru(__value); }           \
  __UW_DEVICE__ to_type __##from##2##to##_rd(from_type __value) { return __nv_##from##2##to##_rd(__value); }
__UW_CONVERT(float, int, float, int)
__UW_CONVERT(float, uint, float, unsigned int)
__UW_CONVERT(float, ll, float, long long)
__UW_CONVERT(float, ull, float, unsigned long long)
__UW_CONVERT(double, int, double, int)
__UW_CONVERT(double, uint, double, unsigned int)
__UW_CONVERT(double, ll, double, long long)
__UW_CONVERT(double, ull, double, unsigned long long)
__UW_CONVERT(double, float, double, float)
__UW_CONVERT(int, float, int, float)
__UW_CONVERT(uint, float, unsigned int, float)
__UW_CONVERT(ll, float, long long, float)
__UW_CONVERT(ull, float, unsigned long long, float)
__UW_CONVERT(ll, double, long long, double)
__UW_CONVERT(ull, double, unsigned long long, double)
#undef __UW_CONVERT
__UW_DEVICE__ double __int2double_rn(int __value) { return (double)__value; }
__UW_DEVICE__ double __uint2double_rn(unsigned int __value) { return (double)__value; }

/* Arithmetic with a rounding mode. These are never fused with a neighbour. */

#define __UW_ROUNDED_1(name, type, mode)                                                                               \
  __UW_DEVICE__ type __##name##_##mode(type __value) { return __nv_##name##_##mode(__value); }
#define __UW_ROUNDED_2(name, type, mode)                                                                               \
  __UW_DEVICE__ type __##name##_##mode(type __left, type __right) { return __nv_##name##_##mode(__left, __right); }
#define __UW_ROUNDED_3(name, type, mode)                                                                               \
  __UW_DEVICE__ type __##name##_##mode(type __left, type __right, type __addend) {                                     \
    return __nv_##name##_##mode(__left, __right, __addend);                                                            \
  }
#define __UW_ROUNDED(count, name, type)                                                                                \
  __UW_ROUNDED_##count(name, type, rn) __UW_ROUNDED_##count(name, type, rz) __UW_ROUNDED_##count(name, type, ru)       \
      __UW_ROUNDED_##count(name, type, rd)
__UW_ROUNDED(2, fadd, float)
__UW_ROUNDED(2, fsub, float)
__UW_ROUNDED(2, fmul, float)
__UW_ROUNDED(2, fdiv, float)
__UW_ROUNDED(1, frcp, float)
__UW_ROUNDED(1, fsqrt, float)
__UW_ROUNDED(3, fmaf, float)
__UW_ROUNDED(3, fmaf_ieee, float)
__UW_ROUNDED(2, dadd, double)
__UW_ROUNDED(2, dsub, double)
__UW_ROUNDED(2, dmul, double)
__UW_ROUNDED(2, ddiv, double)
__UW_ROUNDED(1, drcp, double)
__UW_ROUNDED(1, dsqrt, double)
__UW_ROUNDED(3, fma, double)
__UW_ROUNDED_1(frsqrt, float, rn)
#undef __UW_ROUNDED
#undef __UW_ROUNDED_1
#undef __UW_ROUNDED_2
#undef __UW_ROUNDED_3

/* The same on both halves of a float2. */
#define __UW_ROUNDED_PAIR(mode)                                                                                        \
  __UW_DEVICE__ float2 __fadd2_##mode(float2 __left, float2 __right) {                                                 \
    return float2{__fadd_##mode(__left.x, __right.x), __fadd_##mode(__left.y, __right.y)};                             \
  }                                                                                                                    \
  __UW_DEVICE__ float2 __fmul2_##mode(float2 __left, float2 __right) {                                                 \
    return float2{__fmul_##mode(__left.x, __right.x), __fmul_##mode(__left.y, __right.y)};                             \
  }                                                                                                                    \
  __UW_DEVICE__ float2 __ffma2_##mode(float2 __left, float2 __right, float2 __addend) {                                \
    return float2{__fmaf_##mode(__left.x, __right.x, __addend.x), __fmaf_##mode(__left.y, __right.y, __addend.y)};     \
  }
__UW_ROUNDED_PAIR(rn)
__UW_ROUNDED_PAIR(rz)
__UW_ROUNDED_PAIR(ru)
__UW_ROUNDED_PAIR(rd)
#undef __UW_ROUNDED_PAIR

/* Fast math. */

__UW_DEVICE_TWIN__ float __sinf(float __value) { return __nv_fast_sinf(__value); }
__UW_DEVICE_TWIN__ float __cosf(float __value) { return __nv_fast_cosf(__value); }
__UW_DEVICE_TWIN__ float __tanf(float __value) { return __nv_fast_tanf(__value); }
__UW_DEVICE_TWIN__ float __tanhf(float __value) { return __nv_tanhf(__value); }
__UW_DEVICE_TWIN__ void __sincosf(float __value, float *__sine, float *__cosine) {
  __nv_fast_sincosf(__value, __sine, __cosine);
}
__UW_DEVICE_TWIN__ float __expf(float __value) { return __nv_fast_expf(__value); }
__UW_DEVICE_TWIN__ float __exp10f(float __value) { return __nv_fast_exp10f(__value); }
__UW_DEVICE_TWIN__ float __logf(float __value) { return __nv_fast_logf(__value); }
__UW_DEVICE_TWIN__ float __log2f(float __value) { return __nv_fast_log2f(__value); }
__UW_DEVICE_TWIN__ float __log10f(float __value) { return __nv_fast_log10f(__value); }
__UW_DEVICE_TWIN__ float __powf(float __base, float __exponent) { return __nv_fast_powf(__base, __exponent); }
__UW_DEVICE_TWIN__ float __fdividef(float __left, float __right) { return __nv_fast_fdividef(__left, __right); }
__UW_DEVICE_TWIN__ double fdivide(double __left, double __right) { return __left / __right; }
__UW_DEVICE_TWIN__ float fdividef(float __left, float __right) { return __left / __right; }
__UW_DEVICE__ float __saturatef(float __value) { return __nv_saturatef(__value); }

/* The names under which the C library classifies numbers. */

__UW_DEVICE_TWIN__ int __finite(double __value) { return __nv_isfinited(__value); }
__UW_DEVICE_TWIN__ int __finitef(float __value) { return __nv_finitef(__value); }
__UW_DEVICE__ int __isfinited(double __value) { return __nv_isfinited(__value); }
__UW_DEVICE_TWIN__ int __isinf(double __value) { return __nv_isinfd(__value); }
__UW_DEVICE_TWIN__ int __isinff(float __value) { return __nv_isinff(__value); }
__UW_DEVICE_TWIN__ int __isnan(double __value) { return __nv_isnand(__value); }
__UW_DEVICE_TWIN__ int __isnanf(float __value) { return __nv_isnanf(__value); }
__UW_DEVICE_TWIN__ int __signbit(double __value) { return __nv_signbitd(__value); }
__UW_DEVICE__ int __signbitd(double __value) { return __nv_signbitd(__value); }
__UW_DEVICE_TWIN__ int __signbitf(float __value) { return __nv_signbitf(__value); }

#endif
