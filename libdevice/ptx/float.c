/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: "Floating Point Instructions" and "Half Precision Floating Point Instructions". The approximate forms are
 * libdevice's functions, with more digits than PTX promises.
 */
#include "ptx.h"

/* Subnormal numbers become zero of their sign. A product below the least normal number that rounds to it stays; a GPU
 * flushes it where it would not round to it if exponents had no end. */
UW_SHORT float __ptx_flush_f32(float a) { return __builtin_fabsf(a) < 0x1p-126f ? __builtin_copysignf(0, a) : a; }
UW_SHORT _Float16 __ptx_flush_f16(_Float16 a) {
  return half_bits(a) & 0x7c00 ? a : half_of_bits(half_bits(a) & 0x8000u);
}
UW_SHORT uint32_t __ptx_flush_f16x2(uint32_t a) {
  return both(half_bits(__ptx_flush_f16(half_of_bits(a))), half_bits(__ptx_flush_f16(half_of_bits(a >> 16))));
}

/* To [0, 1]; NaN becomes 0. */
UW_SHORT float __ptx_clamp_f32(float a) { return a > 0 ? a < 1 ? a : 1 : 0; }
UW_SHORT double __ptx_clamp_f64(double a) { return a > 0 ? a < 1 ? a : 1 : 0; }
UW_SHORT _Float16 __ptx_clamp_f16(_Float16 a);
UW_SHORT uint32_t __ptx_clamp_f16x2(uint32_t a) {
  return both(half_bits(__ptx_clamp_f16(half_of_bits(a))), half_bits(__ptx_clamp_f16(half_of_bits(a >> 16))));
}
UW_SHORT _Float16 __ptx_clamp_f16(_Float16 a) { return (_Float16)__ptx_clamp_f32((float)a); }

/* The modes other than to nearest are libdevice's. */
#define ROUNDED(mode, nv)                                                                                              \
  float __nv_fadd_##nv(float, float), __nv_fsub_##nv(float, float), __nv_fmul_##nv(float, float);                      \
  float __nv_fdiv_##nv(float, float), __nv_fmaf_##nv(float, float, float);                                             \
  float __nv_frcp_##nv(float), __nv_fsqrt_##nv(float);                                                                 \
  double __nv_dadd_##nv(double, double), __nv_dsub_##nv(double, double), __nv_dmul_##nv(double, double);               \
  double __nv_ddiv_##nv(double, double), __nv_fma_##nv(double, double, double);                                        \
  double __nv_drcp_##nv(double), __nv_dsqrt_##nv(double);                                                              \
  PTX(float, add_##mode##_f32)(float a, float b) { return __nv_fadd_##nv(a, b); }                                      \
  PTX(float, sub_##mode##_f32)(float a, float b) { return __nv_fsub_##nv(a, b); }                                      \
  PTX(float, mul_##mode##_f32)(float a, float b) { return __nv_fmul_##nv(a, b); }                                      \
  PTX(float, div_##mode##_f32)(float a, float b) { return __nv_fdiv_##nv(a, b); }                                      \
  PTX(float, fma_##mode##_f32)(float a, float b, float c) { return __nv_fmaf_##nv(a, b, c); }                          \
  PTX(float, mad_##mode##_f32)(float a, float b, float c) { return __nv_fmaf_##nv(a, b, c); }                          \
  PTX(float, rcp_##mode##_f32)(float a) { return __nv_frcp_##nv(a); }                                                  \
  PTX(float, sqrt_##mode##_f32)(float a) { return __nv_fsqrt_##nv(a); }                                                \
  PTX(double, add_##mode##_f64)(double a, double b) { return __nv_dadd_##nv(a, b); }                                   \
  PTX(double, sub_##mode##_f64)(double a, double b) { return __nv_dsub_##nv(a, b); }                                   \
  PTX(double, mul_##mode##_f64)(double a, double b) { return __nv_dmul_##nv(a, b); }                                   \
  PTX(double, div_##mode##_f64)(double a, double b) { return __nv_ddiv_##nv(a, b); }                                   \
  PTX(double, fma_##mode##_f64)(double a, double b, double c) { return __nv_fma_##nv(a, b, c); }                       \
  PTX(double, mad_##mode##_f64)(double a, double b, double c) { return __nv_fma_##nv(a, b, c); }                       \
  PTX(double, rcp_##mode##_f64)(double a) { return __nv_drcp_##nv(a); }                                                \
  PTX(double, sqrt_##mode##_f64)(double a) { return __nv_dsqrt_##nv(a); }
ROUNDED(rz, rz)
ROUNDED(rp, ru)
ROUNDED(rm, rd)

#define NEAREST(mode, ptx, type, suffix)                                                                               \
  PTX(type, add##mode##_##ptx)(type a, type b) { return a + b; }                                                       \
  PTX(type, sub##mode##_##ptx)(type a, type b) { return a - b; }                                                       \
  PTX(type, mul##mode##_##ptx)(type a, type b) { return a * b; }                                                       \
  PTX(type, mad##mode##_##ptx)(type a, type b, type c) { return __builtin_fma##suffix(a, b, c); }                      \
  PTX(type, div##mode##_##ptx)(type a, type b) { return a / b; }                                                       \
  PTX(type, sqrt##mode##_##ptx)(type a) { return __builtin_sqrt##suffix(a); }                                          \
  PTX(type, rcp##mode##_##ptx)(type a) { return 1 / a; }
NEAREST(, f32, float, f)
NEAREST(_rn, f32, float, f)
NEAREST(, f64, double, )
NEAREST(_rn, f64, double, )
PTX(float, fma_rn_f32)(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
PTX(double, fma_rn_f64)(double a, double b, double c) { return __builtin_fma(a, b, c); }

#define SIGNS(ptx, type, suffix)                                                                                       \
  PTX(type, abs_##ptx)(type a) { return __builtin_fabs##suffix(a); }                                                   \
  PTX(type, neg_##ptx)(type a) { return -a; }                                                                          \
  PTX(type, copysign_##ptx)(type a, type b) { return __builtin_copysign##suffix(b, a); }                               \
  PTX(bool, testp_finite_##ptx)(type a) { return __builtin_fabs##suffix(a) < __builtin_inf##suffix(); }                \
  PTX(bool, testp_infinite_##ptx)(type a) { return __builtin_fabs##suffix(a) == __builtin_inf##suffix(); }             \
  PTX(bool, testp_number_##ptx)(type a) { return a == a; }                                                             \
  PTX(bool, testp_notanumber_##ptx)(type a) { return a != a; }
SIGNS(f32, float, f)
SIGNS(f64, double, )
PTX(bool, testp_normal_f32)(float a) { return __ptx_testp_finite_f32(a) && __builtin_fabsf(a) >= 0x1p-126f; }
PTX(bool, testp_subnormal_f32)(float a) { return a != 0 && __builtin_fabsf(a) < 0x1p-126f; }
PTX(bool, testp_normal_f64)(double a) { return __ptx_testp_finite_f64(a) && __builtin_fabs(a) >= 0x1p-1022; }
PTX(bool, testp_subnormal_f64)(double a) { return a != 0 && __builtin_fabs(a) < 0x1p-1022; }

/* Of a number and NaN the number, or with .NaN the NaN; -0 is less than +0. Without branches, at which SIMD lanes would
 * part: numbers that compare as equal have the same bits, but for zeros. */
#define EXTREME(name, ptx, type, suffix, integer, combined)                                                            \
  PTX(type, name##_##ptx)(type a, type b) {                                                                            \
    type extreme = __builtin_f##name##suffix(a, b);                                                                    \
    type equal = __builtin_bit_cast(type, __builtin_bit_cast(integer, a) combined __builtin_bit_cast(integer, b));     \
    return a == b ? equal : extreme;                                                                                   \
  }                                                                                                                    \
  PTX(type, name##_NaN_##ptx)(type a, type b) {                                                                        \
    type extreme = __ptx_##name##_##ptx(a, b);                                                                         \
    return __builtin_isunordered(a, b) ? NAN_OF_##ptx : extreme;                                                       \
  }
#define NAN_OF_f32 float_of_bits(0x7fffffff)
#define NAN_OF_f64 __builtin_nan("")
EXTREME(min, f32, float, f, uint32_t, |)
EXTREME(max, f32, float, f, uint32_t, &)
EXTREME(min, f64, double, , uint64_t, |)
EXTREME(max, f64, double, , uint64_t, &)
#define LESS(a, b, suffix) ((a) < (b) || ((a) == (b) && __builtin_signbit(a)))
#define EXTREMES(ptx, type, nan)                                                                                       \
  PTX(type, min_##ptx)(type a, type b) { return b != b ? a : a != a ? b : LESS(a, b, ) ? a : b; }                      \
  PTX(type, max_##ptx)(type a, type b) { return b != b ? a : a != a ? b : LESS(a, b, ) ? b : a; }                      \
  PTX(type, min_NaN_##ptx)(type a, type b) { return a != a || b != b ? nan : LESS(a, b, ) ? a : b; }                   \
  PTX(type, max_NaN_##ptx)(type a, type b) { return a != a || b != b ? nan : LESS(a, b, ) ? b : a; }
EXTREMES(f16, _Float16, half_of_bits(0x7fff))
/* Of the magnitudes, with the product's sign; a NaN has none. */
#define XORSIGN(name, ptx, type, nan, magnitude, signs)                                                                \
  PTX(type, name##_xorsign_abs_##ptx)(type a, type b) {                                                                \
    type value = __ptx_##name##_##ptx(magnitude(a), magnitude(b));                                                     \
    return value != value ? nan : signs(a, b) ? -value : value;                                                        \
  }
#define SIGNS_DIFFER(a, b) ((__builtin_signbit(a) != 0) != (__builtin_signbit(b) != 0))
#define MAGNITUDE(a) half_of_bits(half_bits(a) & 0x7fffu)
#define HALF_SIGNS_DIFFER(a, b) (((half_bits(a) ^ half_bits(b)) & 0x8000) != 0)
#define EACH_EXTREME(define, ...)                                                                                      \
  define(min, __VA_ARGS__) define(max, __VA_ARGS__) define(min_NaN, __VA_ARGS__) define(max_NaN, __VA_ARGS__)
EACH_EXTREME(XORSIGN, f32, float, NAN_OF_f32, __builtin_fabsf, SIGNS_DIFFER)
EACH_EXTREME(XORSIGN, f16, _Float16, half_of_bits(0x7fff), MAGNITUDE, HALF_SIGNS_DIFFER)

float __nv_fast_sinf(float), __nv_fast_cosf(float), __nv_tanhf(float), __nv_rsqrtf(float), __nv_exp2f(float),
    __nv_fast_log2f(float), __nv_fast_fdividef(float, float);
double __nv_rsqrt(double);
PTX(float, sin_approx_f32)(float a) { return __nv_fast_sinf(a); }
PTX(float, cos_approx_f32)(float a) { return __nv_fast_cosf(a); }
PTX(float, tanh_approx_f32)(float a) { return __nv_tanhf(a); }
PTX(float, ex2_approx_f32)(float a) { return __nv_exp2f(a); }
PTX(float, lg2_approx_f32)(float a) { return __nv_fast_log2f(a); }
PTX(float, rsqrt_approx_f32)(float a) { return __nv_rsqrtf(a); }
PTX(double, rsqrt_approx_f64)(double a) { return __nv_rsqrt(a); }
PTX(float, sqrt_approx_f32)(float a) { return __builtin_sqrtf(a); }
PTX(float, rcp_approx_f32)(float a) { return 1 / a; }
PTX(double, rcp_approx_f64)(double a) { return 1 / a; }
PTX(float, div_approx_f32)(float a, float b) { return __nv_fast_fdividef(a, b); }
PTX(float, div_full_f32)(float a, float b) { return a / b; }

/* Half precision. The float results are exact, or have one rounding whose loss cannot matter to 11 bits. Of fma the sum is
 * rounded to odd, as in cuda_fp16.h: where it lost something its last bit is set, so that no tie appears that is none. */
static _Float16 half_fused(float a, float b, float c) {
  const float product = a * b, sum = product + c, of_product = sum - c;
  const float lost = (product - of_product) + (c - (sum - of_product));
  const uint32_t bits = __builtin_bit_cast(uint32_t, sum);
  const uint32_t step = (__builtin_bit_cast(uint32_t, lost) ^ bits) >> 31 ? UINT32_MAX : 1;
  const int is_even_and_less = (lost > 0 || lost < 0) && !(bits & 1);
  return (_Float16)__builtin_bit_cast(float, bits + (is_even_and_less ? step : 0));
}
#define HALF(mode)                                                                                                     \
  PTX(_Float16, add##mode##_f16)(_Float16 a, _Float16 b) { return (_Float16)((float)a + (float)b); }                   \
  PTX(_Float16, sub##mode##_f16)(_Float16 a, _Float16 b) { return (_Float16)((float)a - (float)b); }                   \
  PTX(_Float16, mul##mode##_f16)(_Float16 a, _Float16 b) { return (_Float16)((float)a * (float)b); }                   \
  PTX(_Float16, fma##mode##_f16)(_Float16 a, _Float16 b, _Float16 c) { return half_fused(a, b, c); }
HALF()
HALF(_rn)
PTX(_Float16, neg_f16)(_Float16 a) { return half_of_bits(half_bits(a) ^ 0x8000u); }
PTX(_Float16, abs_f16)(_Float16 a) { return half_of_bits(half_bits(a) & 0x7fffu); }
PTX(_Float16, ex2_approx_f16)(_Float16 a) { return (_Float16)__nv_exp2f((float)a); }
PTX(_Float16, tanh_approx_f16)(_Float16 a) { return (_Float16)__nv_tanhf((float)a); }

#define LOW(a) half_of_bits(a)
#define HIGH(a) half_of_bits((a) >> 16)
#define PAIR(name, of_low, of_high, ...)                                                                               \
  PTX(uint32_t, name##_f16x2)(__VA_ARGS__) {                                                                           \
    return both(half_bits(__ptx_##name##_f16 of_low), half_bits(__ptx_##name##_f16 of_high));                          \
  }
#define PAIR_1(name) PAIR(name, (LOW(a)), (HIGH(a)), uint32_t a)
#define PAIR_2(name) PAIR(name, (LOW(a), LOW(b)), (HIGH(a), HIGH(b)), uint32_t a, uint32_t b)
#define PAIR_3(name)                                                                                                   \
  PAIR(name, (LOW(a), LOW(b), LOW(c)), (HIGH(a), HIGH(b), HIGH(c)), uint32_t a, uint32_t b, uint32_t c)
PAIR_1(neg)
PAIR_1(abs)
PAIR_1(ex2_approx)
PAIR_1(tanh_approx)
PAIR_2(add)
PAIR_2(sub)
PAIR_2(mul)
PAIR_2(add_rn)
PAIR_2(sub_rn)
PAIR_2(mul_rn)
PAIR_2(min)
PAIR_2(max)
PAIR_2(min_NaN)
PAIR_2(max_NaN)
PAIR_2(min_xorsign_abs)
PAIR_2(max_xorsign_abs)
PAIR_2(min_NaN_xorsign_abs)
PAIR_2(max_NaN_xorsign_abs)
PAIR_3(fma_rn)
/* .relu: negative results become 0, NaN the canonical one. */
PTX(_Float16, fma_rn_relu_f16)(_Float16 a, _Float16 b, _Float16 c) {
  _Float16 result = __ptx_fma_rn_f16(a, b, c);
  return result != result ? half_of_bits(0x7fff) : result > 0 ? result : (_Float16)0;
}
PAIR_3(fma_rn_relu)
