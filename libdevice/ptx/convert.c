/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: cvt, where one side is floating point. (Between integers the compiler does it.) To an integer: rounded by .rni,
 * .rzi, .rmi or .rpi, then limited to the type's range; NaN gives 0, or the highest bit alone where either side has 64.
 */
#include "ptx.h"

#define INTEGRAL(define) define(rni, rint) define(rmi, floor) define(rpi, ceil)

/* To 32 and 64 bits: LLVM's intrinsics, which the compiler knows to be a GPU's conversion (raise/saturate.c; LLVM
 * itself has another value for NaN). Plain conversions in C would have no meaning out of range. */
#define SATURATED(to, type, intrinsic)                                                                                 \
  type to##_of_f32(float) __asm__("llvm." intrinsic ".f32");                                                           \
  type to##_of_f64(double) __asm__("llvm." intrinsic ".f64");
SATURATED(u32, uint32_t, "fptoui.sat.i32")
SATURATED(s32, int32_t, "fptosi.sat.i32")
SATURATED(u64, uint64_t, "fptoui.sat.i64")
SATURATED(s64, int64_t, "fptosi.sat.i64")

/* To fewer bits: by way of 32, but for NaN. From float that is 0 there and here. */
#define NARROWED(to, type, by, least, most, nan_64)                                                                    \
  UW_LOCAL type limit_##to(int64_t value) {                                                                            \
    return (type)(value > (most) ? (most) : value < (least) ? (least) : value);                                        \
  }                                                                                                                    \
  UW_LOCAL type to##_of_f32(float value) { return limit_##to(by##_of_f32(value)); }                                    \
  UW_LOCAL type to##_of_f64(double value) { return value != value ? (type)(nan_64) : limit_##to(by##_of_f64(value)); }
NARROWED(u8, uint8_t, u32, 0, UINT8_MAX, 0x80)
NARROWED(s8, int8_t, s32, INT8_MIN, INT8_MAX, INT8_MIN)
NARROWED(u16, uint16_t, u32, 0, UINT16_MAX, 0x8000)
NARROWED(s16, int16_t, s32, INT16_MIN, INT16_MAX, INT16_MIN)

#define TO(mode, function, to, type)                                                                                   \
  PTX(type, cvt_##mode##_##to##_f16)(_Float16 a) { return to##_of_f32(__builtin_##function##f((float)a)); }            \
  PTX(type, cvt_##mode##_##to##_f32)(float a) { return to##_of_f32(__builtin_##function##f(a)); }                      \
  PTX(type, cvt_##mode##_##to##_f64)(double a) { return to##_of_f64(__builtin_##function(a)); }
#define TO_EACH(to, type)                                                                                              \
  TO(rni, rint, to, type)                                                                                              \
  TO(rmi, floor, to, type)                                                                                             \
  TO(rpi, ceil, to, type)                                                                                              \
  PTX(type, cvt_rzi_##to##_f16)(_Float16 a) { return to##_of_f32((float)a); }                                          \
  PTX(type, cvt_rzi_##to##_f32)(float a) { return to##_of_f32(a); }                                                    \
  PTX(type, cvt_rzi_##to##_f64)(double a) { return to##_of_f64(a); }
TO_EACH(u8, uint8_t)
TO_EACH(s8, int8_t)
TO_EACH(u16, uint16_t)
TO_EACH(s16, int16_t)
TO_EACH(u32, uint32_t)
TO_EACH(s32, int32_t)
TO_EACH(u64, uint64_t)
TO_EACH(s64, int64_t)

/* Name, type, the type of 64 bits that libdevice converts from, and how it names that. */
// clang-format off
#define EACH_WIDENED_INTEGER(define)                                                                                           \
  define(u8, uint8_t, unsigned long long, ull)                                                                         \
  define(s8, int8_t, long long, ll)                                                                                    \
  define(u16, uint16_t, unsigned long long, ull)                                                                       \
  define(s16, int16_t, long long, ll)                                                                                  \
  define(u32, uint32_t, unsigned long long, ull)                                                                       \
  define(s32, int32_t, long long, ll)                                                                                  \
  define(u64, uint64_t, unsigned long long, ull)                                                                       \
  define(s64, int64_t, long long, ll)
// clang-format on

#define FROM(from, type, wide, ll, mode, nv)                                                                           \
  PTX(float, cvt_##mode##_f32_##from)(type a) { return __nv_##ll##2float_##nv((wide)a); }                              \
  PTX(double, cvt_##mode##_f64_##from)(type a) { return __nv_##ll##2double_##nv((wide)a); }
// clang-format off
#define FROM_EACH_MODE(from, type, wide, ll)                                                                           \
  FROM(from, type, wide, ll, rn, rn)                                                                                   \
  FROM(from, type, wide, ll, rz, rz)                                                                                   \
  FROM(from, type, wide, ll, rm, rd)                                                                                   \
  FROM(from, type, wide, ll, rp, ru)                                                                                   \
  PTX(_Float16, cvt_rn_f16_##from)(type a) { return (_Float16)__nv_##ll##2double_rz((wide)a); }
// clang-format on
#define DECLARE(ll, wide)                                                                                              \
  float __nv_##ll##2float_rn(wide), __nv_##ll##2float_rz(wide), __nv_##ll##2float_rd(wide),                            \
      __nv_##ll##2float_ru(wide);                                                                                      \
  double __nv_##ll##2double_rn(wide), __nv_##ll##2double_rz(wide), __nv_##ll##2double_rd(wide),                        \
      __nv_##ll##2double_ru(wide);
DECLARE(ll, long long)
DECLARE(ull, unsigned long long)
EACH_WIDENED_INTEGER(FROM_EACH_MODE)

/* Among floating point types. */

float __nv_double2float_rn(double), __nv_double2float_rz(double), __nv_double2float_rd(double),
    __nv_double2float_ru(double);
PTX(float, cvt_rn_f32_f64)(double a) { return (float)a; }
PTX(float, cvt_rz_f32_f64)(double a) { return __nv_double2float_rz(a); }
PTX(float, cvt_rm_f32_f64)(double a) { return __nv_double2float_rd(a); }
PTX(float, cvt_rp_f32_f64)(double a) { return __nv_double2float_ru(a); }
PTX(double, cvt_f64_f32)(float a) { return (double)a; }
PTX(float, cvt_f32_f32)(float a) { return a; }
PTX(double, cvt_f64_f64)(double a) { return a; }
PTX(float, cvt_f32_f16)(_Float16 a) { return (float)a; }
PTX(double, cvt_f64_f16)(_Float16 a) { return (double)a; }
PTX(float, cvt_f32_bf16)(uint16_t a) { return bfloat_of_bits(a); }
#define INTEGRAL_FLOAT(mode, function)                                                                                 \
  PTX(float, cvt_##mode##_f32_f32)(float a) { return __builtin_##function##f(a); }                                     \
  PTX(double, cvt_##mode##_f64_f64)(double a) { return __builtin_##function(a); }                                      \
  PTX(_Float16, cvt_##mode##_f16_f16)(_Float16 a) { return (_Float16)__builtin_##function##f((float)a); }
INTEGRAL(INTEGRAL_FLOAT)
INTEGRAL_FLOAT(rzi, trunc)

PTX(_Float16, cvt_rn_f16_f32)(float a) { return (_Float16)a; }
PTX(_Float16, cvt_rn_f16_f64)(double a) { return (_Float16)a; }
/* Towards zero: the nearest one, or the one before it where that is larger; no finite number becomes infinite. */
PTX(_Float16, cvt_rz_f16_f32)(float a) {
  _Float16 nearest = (_Float16)a;
  return __builtin_fabsf((float)nearest) > __builtin_fabsf(a) ? half_of_bits(half_bits(nearest) - 1u) : nearest;
}

/* Upwards: the nearest one, or the one above it where that is less. */
PTX(_Float16, cvt_rp_f16_f32)(float a) {
  _Float16 nearest = (_Float16)a;
  uint16_t bits = half_bits(nearest);
  if (!((float)nearest < a))
    return nearest;
  return half_of_bits((bits & 0x7fff) == 0 ? 1u : bits & 0x8000 ? bits - 1u : bits + 1u);
}
PTX(_Float16, cvt_rm_f16_f32)(float a) { return half_of_bits(half_bits(__ptx_cvt_rp_f16_f32(-a)) ^ 0x8000u); }

/* By way of a float that is rounded alike, which is exact where a half can hold the number at all. */
#define TO_HALF(mode, nv, from, type, wide, ll)                                                                        \
  PTX(_Float16, cvt_##mode##_f16_##from)(type a) { return __ptx_cvt_##mode##_f16_f32(__nv_##ll##2float_##nv((wide)a)); }
#define TO_HALF_EACH_MODE(from, type, wide, ll)                                                                        \
  TO_HALF(rz, rz, from, type, wide, ll) TO_HALF(rm, rd, from, type, wide, ll) TO_HALF(rp, ru, from, type, wide, ll)
EACH_WIDENED_INTEGER(TO_HALF_EACH_MODE)
TO_HALF_EACH_MODE(f64, double, double, double)

UW_LOCAL uint16_t bfloat_bits(float value, bool to_zero) {
  uint32_t bits = float_bits(value);
  if (value != value)
    return 0x7fff;
  return (uint16_t)((to_zero ? bits : bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
PTX(uint16_t, cvt_rn_bf16_f32)(float a) { return bfloat_bits(a, false); }
PTX(uint16_t, cvt_rz_bf16_f32)(float a) { return bfloat_bits(a, true); }
UW_LOCAL float not_negative(float a) { return a < 0 || (a == 0 && __builtin_signbit(a)) ? 0 : a; }

/* a goes to the upper half. */
#define NARROW_PAIR(mode, type, bits)                                                                                  \
  PTX(uint16_t, cvt_##mode##_relu_##type##_f32)(float a) {                                                             \
    return bits(__ptx_cvt_##mode##_##type##_f32(not_negative(a)));                                                     \
  }                                                                                                                    \
  PTX(uint32_t, cvt_##mode##_##type##x2_f32)(float a, float b) {                                                       \
    return both(bits(__ptx_cvt_##mode##_##type##_f32(b)), bits(__ptx_cvt_##mode##_##type##_f32(a)));                   \
  }                                                                                                                    \
  PTX(uint32_t, cvt_##mode##_relu_##type##x2_f32)(float a, float b) {                                                  \
    return __ptx_cvt_##mode##_##type##x2_f32(not_negative(a), not_negative(b));                                        \
  }
#define SAME(bits) bits
NARROW_PAIR(rn, f16, half_bits)
NARROW_PAIR(rz, f16, half_bits)
NARROW_PAIR(rn, bf16, SAME)
NARROW_PAIR(rz, bf16, SAME)

/* tf32: 10 bits of fraction, to nearest with ties away from zero. A NaN keeps its upper bits. */
PTX(uint32_t, cvt_rna_tf32_f32)(float a) {
  uint32_t half = __builtin_fabsf(a) < __builtin_inff() ? 0x1000 : 0;
  return (float_bits(a) + half) & 0xffffe000u;
}
