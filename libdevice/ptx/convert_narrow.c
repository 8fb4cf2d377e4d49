/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: cvt to and from bfloat16, tf32 and floats of 8 bits, and cvt.pack. What convert.c has of bf16 is what sm_80 had
 * first; here is the rest. A NaN becomes the canonical one.
 */
#include "fp8.h"
#include "odd.h"

uint16_t __ptx_cvt_rn_bf16_f32(float), __ptx_cvt_rz_bf16_f32(float);
_Float16 __ptx_cvt_rn_f16_f32(float), __ptx_cvt_rz_f16_f32(float), __ptx_cvt_rm_f16_f32(float),
    __ptx_cvt_rp_f16_f32(float);

/* --- bf16 --------------------------------------------------------------------------------------------------------- */

/* Away from zero where that is where the rounding goes. */
UW_LOCAL uint16_t bfloat_outwards(float value, bool outwards) {
  uint32_t bits = float_bits(value);
  if (value != value)
    return 0x7fff;
  return (uint16_t)((bits >> 16) + (outwards && bits & 0xffff ? 1 : 0));
}
PTX(uint16_t, cvt_rp_bf16_f32)(float a) { return bfloat_outwards(a, a > 0); }
PTX(uint16_t, cvt_rm_bf16_f32)(float a) { return bfloat_outwards(a, a < 0); }

/* A double or integer by way of a float that is rounded alike, or to odd. */
float __nv_double2float_rd(double), __nv_double2float_ru(double);
PTX(uint16_t, cvt_rn_bf16_f64)(double a) { return __ptx_cvt_rn_bf16_f32(odd_float(a)); }
PTX(uint16_t, cvt_rz_bf16_f64)(double a) { return __ptx_cvt_rz_bf16_f32(__nv_double2float_rz(a)); }
PTX(uint16_t, cvt_rm_bf16_f64)(double a) { return __ptx_cvt_rm_bf16_f32(__nv_double2float_rd(a)); }
PTX(uint16_t, cvt_rp_bf16_f64)(double a) { return __ptx_cvt_rp_bf16_f32(__nv_double2float_ru(a)); }
#define FROM_HALF(mode)                                                                                                \
  PTX(uint16_t, cvt_##mode##_bf16_f16)(_Float16 a) { return __ptx_cvt_##mode##_bf16_f32((float)a); }                   \
  PTX(_Float16, cvt_##mode##_f16_bf16)(uint16_t a) {                                                                   \
    return (a & 0x7fff) > 0x7f80 ? half_of_bits(0x7fff) : __ptx_cvt_##mode##_f16_f32(bfloat_of_bits(a));               \
  }
FROM_HALF(rn)
FROM_HALF(rz)
FROM_HALF(rm)
FROM_HALF(rp)
PTX(_Float16, cvt_f16_bf16)(uint16_t a) { return __ptx_cvt_rn_f16_bf16(a); }
PTX(double, cvt_f64_bf16)(uint16_t a) { return (double)bfloat_of_bits(a); }
PTX(uint16_t, cvt_bf16_bf16)(uint16_t a) { return a; }

#define EACH_WIDE(define)                                                                                              \
  define(u8, uint8_t, unsigned long long, ull) define(s8, int8_t, long long, ll)                                       \
      define(u16, uint16_t, unsigned long long, ull) define(s16, int16_t, long long, ll)                               \
          define(u32, uint32_t, unsigned long long, ull) define(s32, int32_t, long long, ll)                           \
              define(u64, uint64_t, unsigned long long, ull) define(s64, int64_t, long long, ll)
#define DECLARE(ll, wide)                                                                                              \
  float __nv_##ll##2float_rz(wide), __nv_##ll##2float_rd(wide), __nv_##ll##2float_ru(wide);                            \
  double __nv_##ll##2double_rz(wide);
DECLARE(ll, long long)
DECLARE(ull, unsigned long long)
UW_LOCAL double odd_double_ll(long long value) {
  double part = __nv_ll2double_rz(value);
  return (long long)part == value ? part : double_of_bits(double_bits(part) | 1);
}
UW_LOCAL double odd_double_ull(unsigned long long value) {
  double part = __nv_ull2double_rz(value);
  return (unsigned long long)part == value ? part : double_of_bits(double_bits(part) | 1);
}
#define FROM_INTEGER(from, type, wide, ll)                                                                             \
  PTX(uint16_t, cvt_rn_bf16_##from)(type a) { return __ptx_cvt_rn_bf16_f32(odd_float(odd_double_##ll((wide)a))); }     \
  PTX(uint16_t, cvt_rz_bf16_##from)(type a) { return __ptx_cvt_rz_bf16_f32(__nv_##ll##2float_rz((wide)a)); }           \
  PTX(uint16_t, cvt_rm_bf16_##from)(type a) { return __ptx_cvt_rm_bf16_f32(__nv_##ll##2float_rd((wide)a)); }           \
  PTX(uint16_t, cvt_rp_bf16_##from)(type a) { return __ptx_cvt_rp_bf16_f32(__nv_##ll##2float_ru((wide)a)); }
EACH_WIDE(FROM_INTEGER)
#define TO_INTEGER(to, type, wide, ll)                                                                                 \
  type __ptx_cvt_rni_##to##_f32(float), __ptx_cvt_rzi_##to##_f32(float), __ptx_cvt_rmi_##to##_f32(float),              \
      __ptx_cvt_rpi_##to##_f32(float);                                                                                 \
  PTX(type, cvt_rni_##to##_bf16)(uint16_t a) { return __ptx_cvt_rni_##to##_f32(bfloat_of_bits(a)); }                   \
  PTX(type, cvt_rzi_##to##_bf16)(uint16_t a) { return __ptx_cvt_rzi_##to##_f32(bfloat_of_bits(a)); }                   \
  PTX(type, cvt_rmi_##to##_bf16)(uint16_t a) { return __ptx_cvt_rmi_##to##_f32(bfloat_of_bits(a)); }                   \
  PTX(type, cvt_rpi_##to##_bf16)(uint16_t a) { return __ptx_cvt_rpi_##to##_f32(bfloat_of_bits(a)); }
EACH_WIDE(TO_INTEGER)
#define INTEGRAL(mode, function)                                                                                       \
  PTX(uint16_t, cvt_##mode##_bf16_bf16)(uint16_t a) {                                                                  \
    return __ptx_cvt_rn_bf16_f32(__builtin_##function##f(bfloat_of_bits(a)));                                          \
  }
INTEGRAL(rni, rint)
INTEGRAL(rzi, trunc)
INTEGRAL(rmi, floor)
INTEGRAL(rpi, ceil)

/* --- .satfinite: no infinities --------------------------------------------------------------------------------------- */

UW_LOCAL float not_negative(float a) { return a < 0 || (a == 0 && __builtin_signbit(a)) ? 0 : a; }
UW_LOCAL uint16_t finite(uint16_t bits, uint16_t infinity) { return (bits & 0x7fff) == infinity ? bits - 1 : bits; }
#define BITS_f16(value) half_bits(value)
#define BITS_bf16(value) (value)
#define FINITE(mode, type, infinity)                                                                                   \
  PTX(uint16_t, cvt_##mode##_satfinite_##type##_f32)(float a) {                                                        \
    return a != a ? 0x7fff : finite(BITS_##type(__ptx_cvt_##mode##_##type##_f32(a)), infinity);                        \
  }                                                                                                                    \
  PTX(uint16_t, cvt_##mode##_satfinite_relu_##type##_f32)(float a) {                                                   \
    return __ptx_cvt_##mode##_satfinite_##type##_f32(not_negative(a));                                                 \
  }                                                                                                                    \
  PTX(uint32_t, cvt_##mode##_satfinite_##type##x2_f32)(float a, float b) {                                             \
    return both(__ptx_cvt_##mode##_satfinite_##type##_f32(b), __ptx_cvt_##mode##_satfinite_##type##_f32(a));           \
  }                                                                                                                    \
  PTX(uint32_t, cvt_##mode##_satfinite_relu_##type##x2_f32)(float a, float b) {                                        \
    return __ptx_cvt_##mode##_satfinite_##type##x2_f32(not_negative(a), not_negative(b));                              \
  }
FINITE(rn, f16, 0x7c00)
FINITE(rz, f16, 0x7c00)
FINITE(rn, bf16, 0x7f80)
FINITE(rz, bf16, 0x7f80)

/* --- tf32: 10 bits of fraction ------------------------------------------------------------------------------------- */

UW_LOCAL uint32_t tf32_bits(float a, bool nearest) {
  uint32_t bits = float_bits(a), half = nearest && __builtin_fabsf(a) < __builtin_inff() ? 0xfff + (bits >> 13 & 1) : 0;
  return a != a ? 0x7fffffff : (bits + half) & 0xffffe000u;
}
PTX(uint32_t, cvt_rn_tf32_f32)(float a) { return tf32_bits(a, true); }
PTX(uint32_t, cvt_rz_tf32_f32)(float a) { return tf32_bits(a, false); }
PTX(uint32_t, cvt_rn_relu_tf32_f32)(float a) { return tf32_bits(not_negative(a), true); }
PTX(uint32_t, cvt_rz_relu_tf32_f32)(float a) { return tf32_bits(not_negative(a), false); }
UW_LOCAL uint32_t finite_tf32(uint32_t bits) { return (bits & 0x7fffffff) == 0x7f800000 ? bits - 0x2000 : bits; }
uint32_t __ptx_cvt_rna_tf32_f32(float);
PTX(uint32_t, cvt_rna_satfinite_tf32_f32)(float a) {
  return a != a ? 0x7fffffff : finite_tf32(__ptx_cvt_rna_tf32_f32(a));
}
#define FINITE_TF32(mode)                                                                                              \
  PTX(uint32_t, cvt_##mode##_satfinite_tf32_f32)(float a) { return finite_tf32(__ptx_cvt_##mode##_tf32_f32(a)); }      \
  PTX(uint32_t, cvt_##mode##_satfinite_relu_tf32_f32)(float a) {                                                       \
    return finite_tf32(__ptx_cvt_##mode##_relu_tf32_f32(a));                                                           \
  }
FINITE_TF32(rn)
FINITE_TF32(rz)

/* --- floats of 8 bits ---------------------------------------------------------------------------------------------- */

/* To nearest, ties to even, limited to the largest. Below the least normal number, 2^(1 - bias), the code counts
 * multiples of the least one. */
UW_LOCAL uint32_t byte_of(float a, int fraction, int bias, uint32_t most) {
  uint32_t sign = float_bits(a) >> 24 & 0x80, bits = float_bits(a) & 0x7fffffff, code;
  int cut = 23 - fraction;
  if (a != a)
    return 0x7f;
  if (bits < (uint32_t)(128 - bias) << 23) {
    float least = float_of_bits((uint32_t)(127 + bias - 1 + fraction) << 23); /* its inverse */
    code = (uint32_t)__builtin_rintf(float_of_bits(bits) * least);
  } else {
    code = ((bits + (1u << (cut - 1)) - 1 + (bits >> cut & 1)) >> cut) - ((uint32_t)(127 - bias) << fraction);
  }
  return sign | (code > most ? most : code);
}
UW_LOCAL uint32_t byte_e4m3(float a) { return byte_of(a, 3, 7, 0x7e); }
UW_LOCAL uint32_t byte_e5m2(float a) { return byte_of(a, 2, 15, 0x7b); }
UW_LOCAL uint32_t relu_halves(uint32_t halves) {
  uint16_t low = half_bits((_Float16)not_negative((float)half_of_bits(halves)));
  return both(low, half_bits((_Float16)not_negative((float)half_of_bits(halves >> 16))));
}
#define BYTES(type)                                                                                                    \
  PTX(uint16_t, cvt_rn_satfinite_##type##x2_f32)(float a, float b) {                                                   \
    return (uint16_t)(byte_##type(a) << 8 | byte_##type(b));                                                           \
  }                                                                                                                    \
  PTX(uint16_t, cvt_rn_satfinite_relu_##type##x2_f32)(float a, float b) {                                              \
    return __ptx_cvt_rn_satfinite_##type##x2_f32(not_negative(a), not_negative(b));                                    \
  }                                                                                                                    \
  PTX(uint16_t, cvt_rn_satfinite_##type##x2_f16x2)(uint32_t a) {                                                       \
    return __ptx_cvt_rn_satfinite_##type##x2_f32((float)half_of_bits(a >> 16), (float)half_of_bits(a));                \
  }                                                                                                                    \
  PTX(uint16_t, cvt_rn_satfinite_relu_##type##x2_f16x2)(uint32_t a) {                                                  \
    return __ptx_cvt_rn_satfinite_relu_##type##x2_f32((float)half_of_bits(a >> 16), (float)half_of_bits(a));           \
  }                                                                                                                    \
  PTX(uint32_t, cvt_rn_f16x2_##type##x2)(uint16_t a) { return halves_of_##type(a); }                                   \
  PTX(uint32_t, cvt_rn_relu_f16x2_##type##x2)(uint16_t a) { return relu_halves(halves_of_##type(a)); }
BYTES(e4m3)
BYTES(e5m2)

/* --- cvt.pack ------------------------------------------------------------------------------------------------------ */

/* a above b, in so many bits each, and above them what is left of c. */
UW_LOCAL uint32_t limited(int32_t value, int bits, bool is_signed) {
  int64_t least = is_signed ? -((int64_t)1 << (bits - 1)) : 0, most = ((int64_t)1 << (is_signed ? bits - 1 : bits)) - 1;
  int64_t within = value < least ? least : value > most ? most : value;
  return (uint32_t)within & (uint32_t)(((int64_t)1 << bits) - 1);
}
#define PACK_16(to, is_signed)                                                                                         \
  PTX(uint32_t, cvt_pack_sat_##to##_s32)(int32_t a, int32_t b) {                                                       \
    return limited(a, 16, is_signed) << 16 | limited(b, 16, is_signed);                                                \
  }
PACK_16(u16, false)
PACK_16(s16, true)
#define PACK(to, bits, is_signed)                                                                                      \
  PTX(uint32_t, cvt_pack_sat_##to##_s32_b32)(int32_t a, int32_t b, uint32_t c) {                                       \
    return c << 2 * bits | limited(a, bits, is_signed) << bits | limited(b, bits, is_signed);                          \
  }
PACK(u8, 8, false)
PACK(s8, 8, true)
PACK(u4, 4, false)
PACK(s4, 4, true)
PACK(u2, 2, false)
PACK(s2, 2, true)
