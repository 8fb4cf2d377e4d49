/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions that the C library, or its vector form, computes with an error of two units in the last place or more,
 * where CUDA's guide promises one (docs/accuracy.md): its result, or that of a related function, is refined here, or
 * made anew.
 */
#include "libdevice.h"

/* The vector form (libmvec) is off by up to 3.6 units. value = 2^power (1 + part), part from -1/3 to 1/3; log(1 + part)
 * is part - part^2 / 2 + part^3 p(part), where p was fitted for the least relative error of the sum (2^-30). Tried with
 * all values:
 * 0.92 units at most. */
typedef struct parts {
  float whole, part, p;
} parts;
UW_LOCAL parts log_parts(float value) {
#pragma clang fp contract(fast)
  _Bool tiny = value < 0x1p-126f;
  uint32_t bits = float_bits(tiny ? value * 0x1p23f : value);
  int32_t power = (int32_t)(bits - 0x3f2aaaab) >> 23; /* 0x3f2aaaab: 2/3 */
  float whole = (float)(tiny ? power - 23 : power), part = float_of_bits(bits - ((uint32_t)power << 23)) - 1.0f;
  float p = 0x1.ebcff8p-4f;
  p = p * part - 0x1.071122p-3f;
  p = p * part + 0x1.b87e60p-4f;
  p = p * part - 0x1.f389fcp-4f;
  p = p * part + 0x1.24f48cp-3f;
  p = p * part - 0x1.559908p-3f;
  p = p * part + 0x1.999778p-3f;
  p = p * part - 0x1.ffff0ep-3f;
  p = p * part + 0x1.555556p-2f;
  return (parts){whole, part, p};
}
UW_LOCAL float log_result(float value, float result) {
  if (!(value > 0 && value < __builtin_inff()))
    result = value == 0 ? -__builtin_inff() : value < 0 ? __builtin_nanf("") : value;
  return result;
}
UW_SHORT float __nv_logf(float value) {
  const float ln2 = 0x1.62e4p-1f, ln2_rest = 0x1.7f7d1cp-20f; /* whole * ln2 is exact */
  parts v = log_parts(value);
  return log_result(value, v.whole * ln2 + (v.part + (v.part * v.part * (v.part * v.p - 0.5f) + v.whole * ln2_rest)));
}
/* CUDA promises 2^-22 from 0.5 to 2, and 2 units elsewhere. LLVM has no vector form of the C library's. */
UW_SHORT float __nv_fast_log2f(float value) {
  const float log2_e = 0x1.715476p+0f;
  parts v = log_parts(value);
  return log_result(value, v.whole + log2_e * (v.part + v.part * v.part * (v.part * v.p - 0.5f)));
}

/* The vector forms are off by up to 2.6 units, and LLVM has none of exp2f and exp10f. 2^n e^rest, n an integer,
 * |rest| <= ln(2) / 2: e^rest is 1 + rest + rest^2 p(rest), where p was fitted at Chebyshev's nodes (2^-26.9). shifted:
 * n + SHIFT, whose last bits are those of n + 254, the biased exponent of 2^n and 127 more: half of it and the other
 * half are exponents of two powers, as 2^n itself may be out of range. A NaN stays one all the way. Tried with every
 * seventh value: 1.04 units at most. */
#define SHIFT (0x1.8p23f + 254)
/* The second of the two steps. The mark (`arcp`) says that both powers are made as below: compiler/target/scales.c. */
UW_LOCAL float scaled(float product, float second) {
#pragma clang fp reciprocal(on)
  return product * second;
}
UW_LOCAL float power(float shifted, float rest) {
#pragma clang fp contract(fast)
  float square = rest * rest, p = 0x1.6d11fep-10f;
  p = p * square + (0x1.120c62p-7f * rest + 0x1.555518p-5f);
  p = p * square + (0x1.5554dcp-3f * rest + 0.5f);
  uint32_t both = float_bits(shifted), half = both >> 1;
  float first = float_of_bits(half << 23), second = float_of_bits((both - half) << 23);
  return scaled((1.0f + (rest + square * p)) * first, second);
}
UW_LOCAL float between(float value, float least, float most) {
  float low = value < least ? least : value;
  return low > most ? most : low;
}
/* Not for shifted, which must be the same number wherever it is used. */
UW_LOCAL float reduced(float value, float n, float unit, float unit_rest) {
#pragma clang fp contract(fast)
  return (value - n * unit) - n * unit_rest;
}

UW_SHORT float __nv_expf(float value) {
  const float log2_e = 0x1.715476p+0f, ln2 = 0x1.62e4p-1f, ln2_rest = 0x1.7f7d1cp-20f; /* n * ln2 is exact */
  float clamped = between(value, -105, 89), shifted = clamped * log2_e + SHIFT;
  return power(shifted, reduced(clamped, shifted - SHIFT, ln2, ln2_rest));
}
UW_SHORT float __nv_exp2f(float value) {
  const float ln2 = 0x1.62e43p-1f;
  float clamped = between(value, -151, 129), shifted = clamped + SHIFT;
  return power(shifted, (clamped - (shifted - SHIFT)) * ln2);
}
UW_SHORT float __nv_exp10f(float value) {
  const float log2_10 = 0x1.a934fp+1f, ln10 = 0x1.26bb1cp+1f, log10_2 = 0x1.344p-2f,
              log10_2_rest = 0x1.3509f8p-18f; /* n * log10_2 is exact */
  float clamped = between(value, -46, 39), shifted = clamped * log2_10 + SHIFT;
  return power(shifted, reduced(clamped, shifted - SHIFT, log10_2, log10_2_rest) * ln10);
}
UW_SHORT float __nv_fast_expf(float value) { return __nv_expf(value); }
UW_SHORT float __nv_fast_exp10f(float value) { return __nv_exp10f(value); }

/* The same for double: libmvec's is off by three units, and SLEEF's takes three times as long as this does where it
 * stands in a loop. p was fitted by Lawson's method for the least relative error of the whole (2^-56.7). */
#define DOUBLE_SHIFT (0x1.8p52 + 2046)
UW_LOCAL double double_scaled(double product, double second) {
#pragma clang fp reciprocal(on)
  return product * second;
}
UW_LOCAL double double_power(double shifted, double rest) {
#pragma clang fp contract(fast)
  double square = rest * rest, p = 0x1.ad7e5d1dd10dfp-26 * rest + 0x1.28ae2ef762572p-22;
  p = p * square + (0x1.71df2733c31f0p-19 * rest + 0x1.a0199949fe83ep-16);
  p = p * square + (0x1.a01a0128f87afp-13 * rest + 0x1.6c16c1846dcf7p-10);
  p = p * square + (0x1.1111111128176p-7 * rest + 0x1.555555555075dp-5);
  p = p * square + (0x1.55555555554f8p-3 * rest + 0x1.000000000000ap-1);
  uint64_t both = double_bits(shifted), half = both >> 1;
  double first = double_of_bits(half << 52), second = double_of_bits((both - half) << 52);
  return double_scaled((1.0 + (rest + square * p)) * first, second);
}
UW_LOCAL double double_reduced(double value, double n) {
#pragma clang fp contract(fast)
  const double ln2 = 0x1.62e42fefap-1, ln2_rest = 0x1.cf79abc9e3b3ap-40; /* n * ln2 is exact */
  return (value - n * ln2) - n * ln2_rest;
}
UW_SHORT double __nv_exp(double value) {
  const double log2_e = 0x1.71547652b82fep+0;
  double low = value < -746 ? -746 : value, clamped = low > 710 ? 710 : low;
  double shifted = clamped * log2_e + DOUBLE_SHIFT;
  return double_power(shifted, double_reduced(clamped, shifted - DOUBLE_SHIFT));
}

/* SLEEF's for vectors gives 0 for the least denormal numbers. */
UW_SHORT double __nv_tan(double value) { return __builtin_fabs(value) < 0x1p-27 ? value : __builtin_tan(value); }

/* Nor is it right for the largest ones. */
UW_SHORT double __nv_log1p(double value) {
  double sum = value > 0x1p1000 ? __builtin_log(value) : __builtin_log1p(value);
  return __builtin_fabs(value) < 0x1p-54 ? value : sum;
}
UW_SHORT double __nv_cosh(double value) { /* e^709 / 2, in two parts */
  const double half = 0x1.d422d2be5dc9bp+1021, rest = -0x1.916aa7a2c8d07p+966;
  double size = __builtin_fabs(value);
  if (size <= 709)
    return __builtin_cosh(value);
  double power = __builtin_exp(size - 709);
  return value != value ? value : power < 5 ? __builtin_fma(power, rest, power * half) : __builtin_inf();
}

/* The vector forms are off by 1.7 units, where CUDA promises one, or wrong for the least and the largest numbers. In
 * double the sum is off by 2^-28 of the result at most. */
UW_SHORT float __nv_log1pf(float value) {
  return __builtin_fabsf(value) < 0x1p-25f ? value : (float)__builtin_log(1.0 + (double)value);
}

/* One step of Newton's method on y^3 = value, the residue with twice the digits. Far from 1, so that nothing
 * underflows, the values are scaled by a power of 8 and its root. */
UW_CALLED double __nv_cbrt(double value) {
  double size = __builtin_fabs(value);
  if (size == 0 || !is_finite(size))
    return value + value;
  double scale = size < 0x1p-600 ? 0x1p300 : size > 0x1p600 ? 0x1p-300 : 1.0;
  double back = size < 0x1p-600 ? 0x1p-100 : size > 0x1p600 ? 0x1p100 : 1.0;
  double scaled = value * scale, root = __builtin_cbrt(scaled);
  double square = root * root, square_rest = __builtin_fma(root, root, -square);
  double cube = square * root, cube_rest = __builtin_fma(square, root, -cube) + square_rest * root;
  return (root - ((cube - scaled) + cube_rest) / (3.0 * square)) * back;
}

/* 10^x = 2^n e^r, n an integer, r with twice the digits. 2^n is multiplied in two steps: it may be out of range. */
double __nv_exp10(double value) {
  const double log2_10 = 0x1.a934f0979a371p+1, ln10 = 0x1.26bb1bbb55516p+1, ln10_rest = -0x1.f48ad494ea3e9p-53;
  const double ln2 = 0x1.62e42fefap-1, ln2_rest = 0x1.cf79abc9e3b3ap-40; /* n * ln2 is exact */
  double clamped = value > 400 ? 400 : value < -400 ? -400 : value;
  double n = __builtin_rint(clamped * log2_10), whole = n * ln2;
  double product = clamped * ln10, product_rest = __builtin_fma(clamped, ln10, -product) + clamped * ln10_rest;
  double r = product - whole, r_rest = product_rest - n * ln2_rest; /* the difference is exact: they are close */
  double sum = r + r_rest, rest = r_rest - (sum - r);
  double power = __builtin_exp(sum), result = __builtin_fma(power, rest, power);
  int half = (int)n / 2, other = (int)n - half;
  result *= double_of_bits((uint64_t)(1023 + half) << 52);
  result *= double_of_bits((uint64_t)(1023 + other) << 52);
  return value != value ? value : result;
}

/* With the digits of long double; powers of ten stay exact. */
UW_CALLED double __nv_log10(double value) { return (double)__builtin_log10l(value); }

/* Near 0 by Lambert's continued fraction, tanh x = x / (1 + c), c = x^2 / (3 + x^2 / (5 + ...)), written so that the
 * rounding errors are those of a small correction to x; else from the exponential, likewise of a correction to 1. */
UW_CALLED double __nv_tanh(double value) {
  double size = __builtin_fabs(value), result;
  if (size < 0.55) {
    double square = size * size, fraction = 19;
    for (int odd = 17; odd >= 3; odd -= 2)
      fraction = odd + square / fraction;
    double correction = square / fraction;
    result = size - size * (correction / (1.0 + correction));
  } else {
    result = 1.0 - 2.0 / (__builtin_exp(2.0 * size) + 1.0);
  }
  return value != value ? value : __builtin_copysign(result, value);
}
