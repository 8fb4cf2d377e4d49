/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions of CUDA's own that the C library does not have: sines of multiples of pi, vector norms, inverse and scaled
 * error functions, the normal distribution, modified Bessel functions. (CUDA Math API.)
 *
 * Each float form computes in double and rounds once, so it is right but for ties that nobody meets.
 */
#include "libdevice.h"

#define SQRT_HALF 0x1.6a09e667f3bcdp-1
#define SQRT_HALF_REST -0x1.bdd3413b26456p-55
#define SQRT_2 0x1.6a09e667f3bcdp0
#define PI 0x1.921fb54442d18p1
#define PI_REST 0x1.1a62633145c07p-53
#define HALF_SQRT_PI 0x1.c5bf891b4ef6bp-1
#define TWO_OVER_SQRT_PI 0x1.20dd750429b6dp0
#define ONE_OVER_SQRT_PI 0x1.20dd750429b6dp-1

/* Sine and cosine of pi * value. value is brought to [-1/4, 1/4] around a multiple of 1/2, exactly; there pi * rest is
 * taken with its rounding error. */
UW_LOCAL void reduce_half_turns(double value, double *angle, double *angle_rest, int *quadrant) {
  double turn = value - 2.0 * __builtin_rint(value * 0.5); /* [-1, 1] */
  double half_turns = __builtin_rint(turn * 2.0);
  double rest = turn - half_turns * 0.5;
  *angle = rest * PI;
  *angle_rest = __builtin_fma(rest, PI, -*angle) + rest * PI_REST;
  *quadrant = (int)half_turns & 3;
}
/* Taylor's series, up to what adds less than 2^-60. As the C library's functions for vectors are off by up to three
 * units, and CUDA promises two of the whole. */
UW_LOCAL double sine_of_sum(double angle, double rest) {
  double square = angle * angle;
  double p = 0x1.952c77030ad4ap-49;
  p = p * square - 0x1.ae7f3e733b81fp-41;
  p = p * square + 0x1.6124613a86d09p-33;
  p = p * square - 0x1.ae64567f544e4p-26;
  p = p * square + 0x1.71de3a556c734p-19;
  p = p * square - 0x1.a01a01a01a01ap-13;
  p = p * square + 0x1.1111111111111p-7;
  p = p * square - 0x1.5555555555555p-3;
  return angle + (angle * square * p + rest * (1.0 - square * (0.5 - square * (1.0 / 24))));
}
UW_LOCAL double cosine_of_sum(double angle, double rest) {
  double square = angle * angle;
  double p = -0x1.6827863b97d97p-53;
  p = p * square + 0x1.ae7f3e733b81fp-45;
  p = p * square - 0x1.93974a8c07c9dp-37;
  p = p * square + 0x1.1eed8eff8d898p-29;
  p = p * square - 0x1.27e4fb7789f5cp-22;
  p = p * square + 0x1.a01a01a01a01ap-16;
  p = p * square - 0x1.6c16c16c16c17p-10;
  p = p * square + 0x1.5555555555555p-5;
  double half = 0.5 * square, most = 1.0 - half;
  return most + (((1.0 - most) - half) + (square * square * p - rest * angle * (1.0 - square * (1.0 / 6))));
}

UW_SHORT double __nv_sinpi(double value) {
  if (!is_finite(value))
    return value - value;
  double angle, rest;
  int quadrant;
  reduce_half_turns(value, &angle, &rest, &quadrant);
  double result = quadrant & 1 ? cosine_of_sum(angle, rest) : sine_of_sum(angle, rest);
  result = quadrant & 2 ? -result : result;
  return result == 0 ? __builtin_copysign(0.0, value) : result;
}
UW_SHORT double __nv_cospi(double value) {
  if (!is_finite(value))
    return value - value;
  double angle, rest;
  int quadrant;
  reduce_half_turns(value, &angle, &rest, &quadrant);
  double result = quadrant & 1 ? sine_of_sum(angle, rest) : cosine_of_sum(angle, rest);
  result = (quadrant + 1) & 2 ? -result : result;
  return result == 0 ? 0.0 : result;
}
UW_SHORT void __nv_sincospi(double value, double *sine, double *cosine) {
  *sine = __nv_sinpi(value);
  *cosine = __nv_cospi(value);
}
UW_SHORT float __nv_sinpif(float value) { return (float)__nv_sinpi(value); }
UW_SHORT float __nv_cospif(float value) { return (float)__nv_cospi(value); }
UW_SHORT void __nv_sincospif(float value, float *sine, float *cosine) {
  *sine = __nv_sinpif(value);
  *cosine = __nv_cospif(value);
}

/* Norms. The values are scaled by a power of two that brings the largest near 1, so that no square overflows and no
 * square that counts underflows. */
typedef struct scaled_norm {
  double sum, rest; /* of the scaled squares, and what rounding lost of it */
  double scale;     /* the norm is the root of the sum, times scale */
  double inverse_scale;
  int infinite; /* one of the values is, whatever the others */
} scaled_norm;

UW_LOCAL scaled_norm start_norm(double largest) {
  uint64_t field = double_bits(largest) >> 52 & 0x7ff;
  field = field < 1 ? 1 : field > 2045 ? 2045 : field;
  scaled_norm norm = {0, 0, double_of_bits(field << 52), double_of_bits((2046 - field) << 52),
                      largest == __builtin_inf()};
  return norm;
}
UW_LOCAL double larger(double left, double right) { return __builtin_fmax(left, __builtin_fabs(right)); }
UW_LOCAL void add_square(scaled_norm *norm, double value) {
  double scaled = value * norm->inverse_scale, square = scaled * scaled;
  double sum = norm->sum + square, added = sum - norm->sum;
  norm->rest += __builtin_fma(scaled, scaled, -square) + ((norm->sum - (sum - added)) + (square - added));
  norm->sum = sum;
}
UW_LOCAL scaled_norm norm_of(int count, const double *values) {
  double largest = 0;
  for (int i = 0; i < count; ++i)
    largest = larger(largest, values[i]);
  scaled_norm norm = start_norm(largest);
  for (int i = 0; i < count; ++i)
    add_square(&norm, values[i]);
  return norm;
}
UW_LOCAL scaled_norm norm_of_4(double first, double second, double third, double fourth) {
  scaled_norm norm = start_norm(larger(larger(larger(larger(0, first), second), third), fourth));
  add_square(&norm, first);
  add_square(&norm, second);
  add_square(&norm, third);
  add_square(&norm, fourth);
  return norm;
}
UW_LOCAL double norm_value(scaled_norm norm) {
  return norm.infinite ? __builtin_inf() : __builtin_sqrt(norm.sum) * norm.scale;
}
UW_LOCAL double norm_inverse(scaled_norm norm) {
  double inverse = 1.0 / __builtin_sqrt(norm.sum), square = inverse * inverse; /* one step of Newton's method */
  double excess =
      __builtin_fma(-norm.sum, square, 1.0) - norm.sum * __builtin_fma(inverse, inverse, -square) - norm.rest * square;
  double better = __builtin_fma(0.5 * inverse, excess, inverse);
  return norm.infinite ? 0 : (is_finite(better) ? better : inverse) * norm.inverse_scale;
}

UW_SHORT double __nv_norm3d(double first, double second, double third) {
  return norm_value(norm_of_4(first, second, third, 0));
}
UW_SHORT double __nv_norm4d(double first, double second, double third, double fourth) {
  return norm_value(norm_of_4(first, second, third, fourth));
}
UW_SHORT double __nv_rnorm3d(double first, double second, double third) {
  return norm_inverse(norm_of_4(first, second, third, 0));
}
UW_SHORT double __nv_rnorm4d(double first, double second, double third, double fourth) {
  return norm_inverse(norm_of_4(first, second, third, fourth));
}
UW_SHORT double __nv_rhypot(double left, double right) { return norm_inverse(norm_of_4(left, right, 0, 0)); }
double __nv_norm(int count, const double *values) { return norm_value(norm_of(count, values)); }
double __nv_rnorm(int count, const double *values) { return norm_inverse(norm_of(count, values)); }

/* Squares of floats neither overflow nor underflow in double. */
UW_LOCAL double square_sum_f(float first, float second, float third, float fourth) {
  if (__builtin_isinf(first) || __builtin_isinf(second) || __builtin_isinf(third) || __builtin_isinf(fourth))
    return __builtin_inf();
  return (double)first * first + (double)second * second + (double)third * third + (double)fourth * fourth;
}
UW_LOCAL double square_sum_of_f(int count, const float *values) {
  double sum = 0;
  int infinite = 0;
  for (int i = 0; i < count; ++i) {
    infinite |= __builtin_isinf(values[i]) != 0;
    sum += (double)values[i] * values[i];
  }
  return infinite ? __builtin_inf() : sum;
}
UW_SHORT float __nv_norm3df(float first, float second, float third) {
  return (float)__builtin_sqrt(square_sum_f(first, second, third, 0));
}
UW_SHORT float __nv_norm4df(float first, float second, float third, float fourth) {
  return (float)__builtin_sqrt(square_sum_f(first, second, third, fourth));
}
UW_SHORT float __nv_rnorm3df(float first, float second, float third) {
  return (float)(1.0 / __builtin_sqrt(square_sum_f(first, second, third, 0)));
}
UW_SHORT float __nv_rnorm4df(float first, float second, float third, float fourth) {
  return (float)(1.0 / __builtin_sqrt(square_sum_f(first, second, third, fourth)));
}
UW_SHORT float __nv_rhypotf(float left, float right) {
  return (float)(1.0 / __builtin_sqrt(square_sum_f(left, right, 0, 0)));
}
float __nv_normf(int count, const float *values) { return (float)__builtin_sqrt(square_sum_of_f(count, values)); }
float __nv_rnormf(int count, const float *values) {
  return (float)(1.0 / __builtin_sqrt(square_sum_of_f(count, values)));
}

/* exp(value^2), with the rounding error of the square. */
UW_LOCAL double exp_of_square(double value) {
  double square = value * value, rest = __builtin_fma(value, value, -square);
  double power = __builtin_exp(square);
  return __builtin_isinf(power) ? power : __builtin_fma(power, rest, power);
}

/* exp(value^2) * erfc(value). From 10 on by Laplace's continued fraction, which converges faster the larger value is;
 * below, both factors are in range. */
UW_LOCAL double scaled_erfc_of_positive(double value) {
  if (value < 10)
    return exp_of_square(value) * __builtin_erfc(value);
  if (value > 0x1p27)
    return ONE_OVER_SQRT_PI / value;
  double fraction = value;
  for (int k = 16; k > 0; --k)
    fraction = value + 0.5 * k / fraction;
  return ONE_OVER_SQRT_PI / fraction;
}
double __nv_erfcx(double value) {
  if (value != value)
    return value;
  if (value < 0) /* erfc(value) is between 1 and 2 here */
    return exp_of_square(value) * __builtin_erfc(value);
  return scaled_erfc_of_positive(value);
}
float __nv_erfcxf(float value) { return (float)__nv_erfcx(value); }

/* A first value of erfinv(x) from log(1 - x^2), to about 7 digits while 1 - |x| > 2^-24. (M. Giles, "Approximating the
 * erfinv function", GPU Computing Gems, 2011.) */
UW_LOCAL double start_erfinv(double x, double log_of_complement) {
  double w = -log_of_complement, p;
  if (w < 5) {
    w -= 2.5;
    p = 2.81022636e-08;
    p = 3.43273939e-07 + p * w;
    p = -3.5233877e-06 + p * w;
    p = -4.39150654e-06 + p * w;
    p = 0.00021858087 + p * w;
    p = -0.00125372503 + p * w;
    p = -0.00417768164 + p * w;
    p = 0.246640727 + p * w;
    p = 1.50140941 + p * w;
  } else {
    w = __builtin_sqrt(w) - 3;
    p = -0.000200214257;
    p = 0.000100950558 + p * w;
    p = 0.00134934322 + p * w;
    p = -0.00367342844 + p * w;
    p = 0.00573950773 + p * w;
    p = -0.0076224613 + p * w;
    p = 0.00943887047 + p * w;
    p = 1.00167406 + p * w;
    p = 2.83297682 + p * w;
  }
  return p * x;
}

/* |x| <= 1/2: one step of Halley's method on erf, which triples the digits. */
UW_LOCAL double erfinv_near_zero(double x) {
  if (__builtin_fabs(x) < 0x1p-30)
    return x * HALF_SQRT_PI;
  double y = start_erfinv(x, __builtin_log1p(-x * x));
  double step = (__builtin_erf(y) - x) * HALF_SQRT_PI * __builtin_exp(y * y);
  return y - step / (1.0 + y * step);
}

/* erfc(y) = z for 0 < z <= 1/2: Newton's method on log(erfc(y)) = log(erfcx(y)) - y^2, which is nearly a parabola also
 * where erfc itself underflows. */
UW_LOCAL double erfcinv_of_small(double z) {
  double target = __builtin_log(z), y;
  if (z > 0x1p-22)
    y = start_erfinv(1.0 - z, __builtin_log(z * (2.0 - z)));
  else
    y = __builtin_sqrt(-target - __builtin_log(__builtin_sqrt(-target * PI)));
  for (int i = 0; i < 3; ++i) {
    double scaled = scaled_erfc_of_positive(y);
    double square = y * y, rest = __builtin_fma(y, y, -square);
    double excess = (__builtin_log(scaled) - rest) - (square + target);
    y += excess * HALF_SQRT_PI * scaled;
  }
  return y;
}

double __nv_erfcinv(double value) {
  if (!(value >= 0 && value <= 2))
    return __builtin_nan("");
  if (value == 0)
    return __builtin_inf();
  if (value == 2)
    return -__builtin_inf();
  if (value < 0.5)
    return erfcinv_of_small(value);
  if (value > 1.5)
    return -erfcinv_of_small(2.0 - value);
  return erfinv_near_zero(1.0 - value);
}
double __nv_erfinv(double value) {
  double size = __builtin_fabs(value);
  if (!(size <= 1))
    return __builtin_nan("");
  if (size == 1)
    return __builtin_copysign(__builtin_inf(), value);
  if (size <= 0.5)
    return erfinv_near_zero(value);
  return __builtin_copysign(erfcinv_of_small(1.0 - size), value);
}
float __nv_erfinvf(float value) { return (float)__nv_erfinv(value); }
float __nv_erfcinvf(float value) { return (float)__nv_erfcinv(value); }

/* The normal distribution, erfc(-value / sqrt(2)) / 2. The argument's rounding error e changes erfc(t) by
 * -2/sqrt(pi) exp(-t^2) e, which in the tail is far more than a unit. */
UW_LOCAL double normal_tail(double value) {
  double argument = -value * SQRT_HALF;
  double rest = __builtin_fma(-value, SQRT_HALF, -argument) - value * SQRT_HALF_REST;
  double result = __builtin_erfc(argument);
  if (is_finite(value) && argument > 0)
    result -= TWO_OVER_SQRT_PI * rest * __builtin_exp(-argument * argument);
  return 0.5 * result;
}
double __nv_normcdf(double value) { return normal_tail(value); }
float __nv_normcdff(float value) { return (float)normal_tail(value); }
double __nv_normcdfinv(double value) { return 0.0 - SQRT_2 * __nv_erfcinv(2.0 * value); } /* at 0.5 it is +0 */
float __nv_normcdfinvf(float value) { return (float)__nv_normcdfinv(value); }
