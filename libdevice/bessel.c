/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Bessel functions. The C library's j0, j1, y0 and y1 have a small absolute error, which near a zero is many units in
 * the last place: for |x| < 8, where CUDA bounds those, each zero has a neighbourhood in which the function is its
 * Taylor series. A negative order is no order of CUDA's; the float forms go through double.
 */
#include "libdevice.h"

double __nv_exp(double value); /* refined.c */

#define PI 0x1.921fb54442d18p1

double j0(double), j1(double), jn(int, double), y0(double), y1(double), yn(int, double);

/* A zero, what its double lacks, and the slope there; the series is used up to this distance. */
typedef struct zero {
  double at, rest, slope, reach;
} zero;
static const zero zeros_j0[] = {{0x1.33d152e971b4p+1, -0x1.0f539d7da258ep-53, -0x1.09cdb3655128p-1, 0.6},
                                {0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54, 0x1.5c6e60a097823p-2, 0.8}};
static const zero zeros_j1[] = {{0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53, -0x1.9c6cf582cbf7fp-2, 0.8},
                                {0x1.c0ff5f3b4725p+2, -0x1.b226d9d243827p-54, 0x1.33518b3874e8ap-2, 0.8}};
static const zero zeros_y0[] = {{0x1.c982eb8d417eap-1, 0x1.ea9d270347f83p-56, 0x1.c24371844b88ap-1, 0.35},
                                {0x1.fa9534d98569cp+1, -0x1.f06ae7804384ep-54, -0x1.9c34256a12a0cp-2, 0.8},
                                {0x1.c581dc4e72103p+2, -0x1.9774a495f56cfp-54, 0x1.334cca0697a5bp-2, 0.8}};
static const zero zeros_y1[] = {{0x1.193bed4dff243p+1, -0x1.bd1e50d219bfdp-55, 0x1.0aa48442f014bp-1, 0.6},
                                {0x1.5b7fe4e87b02ep+2, 0x1.dfe7bac228e8cp-52, -0x1.5c7c556f0c19ap-2, 0.8}};

/* x^2 f" + x f' + (x^2 - order^2) f = 0 gives each coefficient of the series about a zero from the four before it. */
UW_LOCAL double series(const zero *z, int order, double value) {
  double at = z->at, step = (value - at) - z->rest, power = step;
  double a0 = 0, a1 = 0, a2 = 0, a3 = z->slope; /* of step^(k - 2) to step^(k + 1) */
  double first = a3 * step, others = 0;
  for (int k = 0; k < 80; ++k) {
    double sum = at * ((k + 1) * (2 * k + 1)) * a3 + ((at * at - order * order) + k * k) * a2 + 2 * at * a1 + a0;
    double next = -sum / (at * at * ((k + 1) * (k + 2)));
    power *= step;
    others += next * power;
    if (__builtin_fabs(next * power) < 0x1p-60 * __builtin_fabs(first))
      break;
    a0 = a1, a1 = a2, a2 = a3, a3 = next;
  }
  return first + others;
}
UW_LOCAL const zero *zero_near(const zero *zeros, int count, double value) {
  for (int i = 0; i < count; ++i)
    if (__builtin_fabs(value - zeros[i].at) < zeros[i].reach)
      return &zeros[i];
  return 0;
}
#define COUNT(zeros) (int)(sizeof(zeros) / sizeof *(zeros))

double __nv_j0(double value) {
  double size = __builtin_fabs(value);
  const zero *z = zero_near(zeros_j0, COUNT(zeros_j0), size);
  return z ? series(z, 0, size) : j0(value);
}
double __nv_j1(double value) {
  const zero *z = zero_near(zeros_j1, COUNT(zeros_j1), __builtin_fabs(value));
  return z ? __builtin_copysign(1.0, value) * series(z, 1, __builtin_fabs(value)) : j1(value);
}
double __nv_y0(double value) {
  const zero *z = zero_near(zeros_y0, COUNT(zeros_y0), value);
  return z ? series(z, 0, value) : y0(value);
}
double __nv_y1(double value) {
  const zero *z = zero_near(zeros_y1, COUNT(zeros_y1), value);
  return z ? series(z, 1, value) : y1(value);
}
double __nv_jn(int order, double value) { return order < 0 ? __builtin_nan("") : jn(order, value); }
double __nv_yn(int order, double value) { return order < 0 ? __builtin_nan("") : yn(order, value); }
float __nv_j0f(float value) { return (float)__nv_j0(value); }
float __nv_j1f(float value) { return (float)__nv_j1(value); }
float __nv_y0f(float value) { return (float)__nv_y0(value); }
float __nv_y1f(float value) { return (float)__nv_y1(value); }
float __nv_jnf(int order, float value) { return (float)__nv_jn(order, value); }
float __nv_ynf(int order, float value) { return (float)__nv_yn(order, value); }

/* Modified Bessel functions of order 0 and 1: below 20 by the power series, whose terms are all positive; above by the
 * asymptotic series, whose least term is then below e^-40. */
UW_LOCAL double bessel_i(int order, double value) {
  double size = __builtin_fabs(value), result;
  if (value != value)
    return value;
  if (size < 20) {
    double half = size * 0.5, quarter = half * half, rest = __builtin_fma(half, half, -quarter);
    double term = order ? half : 1, term_rest = 0, sum_rest = 0;
    result = term;
    for (int k = 1; k < 60 && term > result * 0x1p-56; ++k) {
      /* term and result each carry what they have lost so far. */
      double divisor = k * (k + order), product = term * quarter;
      double product_rest = __builtin_fma(term, quarter, -product) + term * rest + term_rest * quarter;
      double next = product / divisor;
      term_rest = (__builtin_fma(-next, divisor, product) + product_rest) / divisor;
      term = next;
      double sum = result + term;
      sum_rest += (result < term ? result - (sum - term) : term - (sum - result)) + term_rest;
      result = sum;
    }
    result += sum_rest;
  } else if (size > 720) { /* it overflows from 714 on */
    result = __builtin_inf();
  } else {
    double term = 1, rest = 0, square_order = 4.0 * order; /* the sum is 1 + rest */
    for (int k = 1; k < 40; ++k) {
      double odd = 2 * k - 1;
      double next = term * (odd * odd - square_order) / (8.0 * k * size);
      if (__builtin_fabs(next) >= __builtin_fabs(term) || rest + next == rest)
        break;
      term = next;
      rest += term;
    }
    double power =
        __nv_exp(size * 0.5); /* in two halves: the result is finite beyond exp's range; exact, as it is squared */
    result = power * ((1 + rest) / __builtin_sqrt(2.0 * PI * size)) * power;
  }
  return order ? __builtin_copysign(result, value) : result;
}
double __nv_cyl_bessel_i0(double value) { return bessel_i(0, value); }
double __nv_cyl_bessel_i1(double value) { return bessel_i(1, value); }
float __nv_cyl_bessel_i0f(float value) { return (float)bessel_i(0, value); }
float __nv_cyl_bessel_i1f(float value) { return (float)bessel_i(1, value); }
