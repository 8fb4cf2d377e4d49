/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions that the C library has too. Where LLVM has an intrinsic the builtin gives it, so that constant folding
 * and the vectorisers see sin, exp, sqrt, … instead of a call; the rest call the C library.
 */
#include "libdevice.h"

#define MATH_1(name)                                                                                                   \
  UW_SHORT double __nv_##name(double value) { return __builtin_##name(value); }                                        \
  UW_SHORT float __nv_##name##f(float value) { return __builtin_##name##f(value); }
#define MATH_2(name)                                                                                                   \
  UW_SHORT double __nv_##name(double left, double right) { return __builtin_##name(left, right); }                     \
  UW_SHORT float __nv_##name##f(float left, float right) { return __builtin_##name##f(left, right); }

MATH_1(acos)
MATH_1(acosh)
MATH_1(asin)
MATH_1(asinh)
MATH_1(atan)
MATH_1(atanh)
MATH_1(ceil)
MATH_1(erf)
MATH_1(erfc)
MATH_1(expm1)
MATH_1(fabs)
MATH_1(floor)
MATH_1(log2)
MATH_1(logb)
MATH_1(nearbyint)
MATH_1(rint)
MATH_1(round)
MATH_1(sinh)
MATH_1(sqrt)
MATH_1(tgamma)
MATH_1(trunc)
UW_SHORT double __nv_cos(double value) { return __builtin_cos(value); } /* the other forms: refined.c */
UW_SHORT double __nv_exp2(double value) { return __builtin_exp2(value); }
UW_SHORT float __nv_coshf(float value) { return __builtin_coshf(value); }
UW_SHORT double __nv_sin(double value) { return __builtin_sin(value); }
UW_SHORT double __nv_log(double value) { return __builtin_log(value); }
UW_SHORT float __nv_cbrtf(float value) { return __builtin_cbrtf(value); } /* the double forms: refined.c */
UW_SHORT float __nv_log10f(float value) { return __builtin_log10f(value); }
UW_SHORT float __nv_cosf(float value) { return __builtin_cosf(value); }
UW_SHORT float __nv_sinf(float value) { return __builtin_sinf(value); }
UW_SHORT float __nv_tanf(float value) { return __builtin_tanf(value); }
UW_SHORT float __nv_tanhf(float value) { return __builtin_tanhf(value); }
MATH_2(atan2)
MATH_2(copysign)
/* Not by the C library's name: LLVM folds fdim of two equal infinities to a NaN. */
UW_SHORT double __nv_fdim(double left, double right) { return left <= right ? 0.0 : left - right; }
UW_SHORT float __nv_fdimf(float left, float right) { return left <= right ? 0.0f : left - right; }
MATH_2(fmax)
MATH_2(fmin)
MATH_2(fmod)
MATH_2(hypot)
MATH_2(nextafter)
MATH_2(pow)
MATH_2(remainder)

/* Where there are no denormals (-ftz=true; the arguments are none) the neighbours of zero are the least normal
 * numbers. */
float __nv_nextafterf_ftz(float from, float to) {
  return from == 0 && (to < 0 || to > 0) ? __builtin_copysignf(0x1p-126f, to) : __builtin_nextafterf(from, to);
}

UW_SHORT double __nv_fma(double left, double right, double addend) { return __builtin_fma(left, right, addend); }
UW_SHORT float __nv_fmaf(float left, float right, float addend) { return __builtin_fmaf(left, right, addend); }

/* An int is exact in double but not in float. */
UW_SHORT double __nv_powi(double base, int exponent) { return __builtin_pow(base, (double)exponent); }
UW_SHORT float __nv_powif(float base, int exponent) {
  return exponent > -(1 << 24) && exponent < 1 << 24 ? __builtin_powf(base, (float)exponent)
                                                     : (float)__builtin_pow(base, (double)exponent);
}

UW_SHORT double __nv_ldexp(double value, int exponent) { return __builtin_ldexp(value, exponent); }
UW_SHORT float __nv_ldexpf(float value, int exponent) { return __builtin_ldexpf(value, exponent); }
UW_SHORT double __nv_scalbn(double value, int exponent) { return __builtin_ldexp(value, exponent); }
UW_SHORT float __nv_scalbnf(float value, int exponent) { return __builtin_ldexpf(value, exponent); }

/* 0, infinities and NaN are their own mantissa, with exponent 0. A denormal is first made normal. */
UW_SHORT double __nv_frexp(double value, int *exponent) {
  uint64_t bits = double_bits(value);
  int field = (int)(bits >> 52 & 0x7ff), shift = 0;
  if (field == 0) {
    bits = double_bits(value * 0x1p64);
    field = (int)(bits >> 52 & 0x7ff);
    shift = 64;
  }
  if (field == 0 || field == 0x7ff) {
    *exponent = 0;
    return value + value;
  }
  *exponent = field - 1022 - shift;
  return double_of_bits((bits & 0x800fffffffffffffu) | 0x3fe0000000000000u);
}
UW_SHORT float __nv_frexpf(float value, int *exponent) {
  uint32_t bits = float_bits(value);
  int field = (int)(bits >> 23 & 0xff), shift = 0;
  if (field == 0) {
    bits = float_bits(value * 0x1p32f);
    field = (int)(bits >> 23 & 0xff);
    shift = 32;
  }
  if (field == 0 || field == 0xff) {
    *exponent = 0;
    return value + value;
  }
  *exponent = field - 126 - shift;
  return float_of_bits((bits & 0x807fffffu) | 0x3f000000u);
}

UW_SHORT double __nv_modf(double value, double *whole) {
  double integer = __builtin_trunc(value);
  *whole = integer;
  return __builtin_copysign(__builtin_isinf(value) ? 0.0 : value - integer, value);
}
UW_SHORT float __nv_modff(float value, float *whole) {
  float integer = __builtin_truncf(value);
  *whole = integer;
  return __builtin_copysignf(__builtin_isinf(value) ? 0.0f : value - integer, value);
}

UW_SHORT double __nv_remquo(double left, double right, int *quotient) {
  return __builtin_remquo(left, right, quotient);
}
UW_SHORT float __nv_remquof(float left, float right, int *quotient) { return __builtin_remquof(left, right, quotient); }

UW_SHORT int __nv_ilogb(double value) { return __builtin_ilogb(value); }
UW_SHORT int __nv_ilogbf(float value) { return __builtin_ilogbf(value); }

double __nv_sin(double), __nv_cos(double);
UW_SHORT void __nv_sincos(double value, double *sine, double *cosine) {
  *sine = __nv_sin(value);
  *cosine = __nv_cos(value);
}
UW_SHORT void __nv_sincosf(float value, float *sine, float *cosine) {
  *sine = __builtin_sinf(value);
  *cosine = __builtin_cosf(value);
}

/* The reentrant forms: lgamma itself writes a global. */
double lgamma_r(double value, int *sign);
UW_CALLED double __nv_lgamma(double value) {
  int sign;
  return lgamma_r(value, &sign);
}
UW_CALLED float __nv_lgammaf(float value) {
  int sign;
  return (float)lgamma_r(value, &sign);
}

/* The tag of a NaN is not kept. */
UW_SHORT double __nv_nan(const signed char *tag) {
  (void)tag;
  return __builtin_nan("");
}
UW_SHORT float __nv_nanf(const signed char *tag) {
  (void)tag;
  return __builtin_nanf("");
}

UW_SHORT int __nv_isfinited(double value) { return is_finite(value); }
UW_SHORT int __nv_finitef(float value) { return __builtin_fabsf(value) < __builtin_inff(); }
UW_SHORT int __nv_isinfd(double value) { return __builtin_fabs(value) == __builtin_inf(); }
UW_SHORT int __nv_isinff(float value) { return __builtin_fabsf(value) == __builtin_inff(); }
UW_SHORT int __nv_isnand(double value) { return __builtin_isnan(value); }
UW_SHORT int __nv_isnanf(float value) { return __builtin_isnan(value); }
UW_SHORT int __nv_signbitd(double value) { return (int)(double_bits(value) >> 63); }
UW_SHORT int __nv_signbitf(float value) { return (int)(float_bits(value) >> 31); }
