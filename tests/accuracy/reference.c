/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The exact functions, by MPFR: to the precision of the result with a few bits to spare, which is twice that of a
 * double. Where MPFR lacks a function it is put together with more bits; an inverse is found by Newton's method from
 * the value that is to be judged.
 */
#include "accuracy.h"

#define X arguments[0]
#define Y arguments[1]
#define DEFINE(name) void reference_##name(mpfr_t result, mpfr_t arguments[MOST_ARGUMENTS], double near)
#define DIRECT_1(name, call)                                                                                           \
  DEFINE(name) {                                                                                                       \
    (void)near;                                                                                                        \
    call(result, X, MPFR_RNDN);                                                                                        \
  }
#define DIRECT_2(name, call)                                                                                           \
  DEFINE(name) {                                                                                                       \
    (void)near;                                                                                                        \
    call(result, X, Y, MPFR_RNDN);                                                                                     \
  }
DIRECT_1(rsqrt, mpfr_rec_sqrt)
DIRECT_1(sqrt, mpfr_sqrt)
DIRECT_1(cbrt, mpfr_cbrt)
DIRECT_2(hypot, mpfr_hypot)
DIRECT_1(exp, mpfr_exp)
DIRECT_1(exp2, mpfr_exp2)
DIRECT_1(exp10, mpfr_exp10)
DIRECT_1(expm1, mpfr_expm1)
DIRECT_1(log, mpfr_log)
DIRECT_1(log2, mpfr_log2)
DIRECT_1(log10, mpfr_log10)
DIRECT_1(log1p, mpfr_log1p)
DIRECT_1(sin, mpfr_sin)
DIRECT_1(cos, mpfr_cos)
DIRECT_1(tan, mpfr_tan)
DIRECT_1(asin, mpfr_asin)
DIRECT_1(acos, mpfr_acos)
DIRECT_1(atan, mpfr_atan)
DIRECT_2(atan2, mpfr_atan2)
DIRECT_1(sinh, mpfr_sinh)
DIRECT_1(cosh, mpfr_cosh)
DIRECT_1(tanh, mpfr_tanh)
DIRECT_1(asinh, mpfr_asinh)
DIRECT_1(acosh, mpfr_acosh)
DIRECT_1(atanh, mpfr_atanh)
DIRECT_2(pow, mpfr_pow)
DIRECT_1(erf, mpfr_erf)
DIRECT_1(erfc, mpfr_erfc)
DIRECT_1(tgamma, mpfr_gamma)
DIRECT_1(j0, mpfr_j0)
DIRECT_1(j1, mpfr_j1)
DIRECT_1(y0, mpfr_y0)
DIRECT_1(y1, mpfr_y1)
DIRECT_2(fmod, mpfr_fmod)
DIRECT_2(remainder, mpfr_remainder)
DIRECT_2(add, mpfr_add)
DIRECT_2(multiply, mpfr_mul)
DIRECT_2(divide, mpfr_div)
DIRECT_2(fdim, mpfr_dim)

DEFINE(abspow) {
  mpfr_t size;
  (void)near;
  mpfr_init2(size, mpfr_get_prec(X));
  mpfr_abs(size, X, MPFR_RNDN);
  mpfr_pow(result, size, Y, MPFR_RNDN);
  mpfr_clear(size);
}
DEFINE(fma) {
  (void)near;
  mpfr_fma(result, X, Y, arguments[2], MPFR_RNDN);
}
DEFINE(reciprocal) {
  (void)near;
  mpfr_ui_div(result, 1, X, MPFR_RNDN);
}
DEFINE(rcbrt) {
  (void)near;
  mpfr_cbrt(result, X, MPFR_RNDN);
  mpfr_ui_div(result, 1, result, MPFR_RNDN);
}
DEFINE(lgamma) {
  int sign;
  (void)near;
  mpfr_lgamma(result, &sign, X, MPFR_RNDN);
}
DEFINE(jn) {
  (void)near;
  mpfr_jn(result, mpfr_get_si(Y, MPFR_RNDZ), X, MPFR_RNDN);
}
DEFINE(yn) {
  (void)near;
  mpfr_yn(result, mpfr_get_si(Y, MPFR_RNDZ), X, MPFR_RNDN);
}
DEFINE(sinpi) {
  (void)near;
  mpfr_sinpi(result, X, MPFR_RNDN);
}
DEFINE(cospi) {
  (void)near;
  mpfr_cospi(result, X, MPFR_RNDN);
}

static void norm(mpfr_t result, mpfr_t arguments[MOST_ARGUMENTS], int count) {
  mpfr_t square;
  mpfr_init2(square, mpfr_get_prec(result));
  mpfr_set_zero(result, 1);
  for (int i = 0; i < count; i++) {
    mpfr_sqr(square, arguments[i], MPFR_RNDN);
    mpfr_add(result, result, square, MPFR_RNDN);
  }
  mpfr_sqrt(result, result, MPFR_RNDN);
  mpfr_clear(square);
}
#define NORM(name, count)                                                                                              \
  DEFINE(name) {                                                                                                       \
    (void)near;                                                                                                        \
    norm(result, arguments, count);                                                                                    \
  }
#define INVERSE_NORM(name, count)                                                                                      \
  DEFINE(name) {                                                                                                       \
    (void)near;                                                                                                        \
    norm(result, arguments, count);                                                                                    \
    mpfr_ui_div(result, 1, result, MPFR_RNDN);                                                                         \
  }
NORM(norm3d, 3)
NORM(norm4d, 4)
INVERSE_NORM(rhypot, 2)
INVERSE_NORM(rnorm3d, 3)
INVERSE_NORM(rnorm4d, 4)

/* exp(x^2) erfc(x), with bits for the size of x^2. */
DEFINE(erfcx) {
  mpfr_t power, rest;
  (void)near;
  mpfr_inits2(mpfr_get_prec(result) + 64, power, rest, (mpfr_ptr)0);
  mpfr_sqr(power, X, MPFR_RNDN);
  mpfr_exp(power, power, MPFR_RNDN);
  mpfr_erfc(rest, X, MPFR_RNDN);
  mpfr_mul(result, power, rest, MPFR_RNDN);
  mpfr_clears(power, rest, (mpfr_ptr)0);
}

/* erfc(-x / sqrt(2)) / 2 */
static void set_normcdf(mpfr_t result, mpfr_t x) {
  mpfr_t argument;
  mpfr_init2(argument, mpfr_get_prec(result) + 64);
  mpfr_sqrt_ui(argument, 2, MPFR_RNDN);
  mpfr_div(argument, x, argument, MPFR_RNDN);
  mpfr_neg(argument, argument, MPFR_RNDN);
  mpfr_erfc(result, argument, MPFR_RNDN);
  mpfr_div_2ui(result, result, 1, MPFR_RNDN);
  mpfr_clear(argument);
}
DEFINE(normcdf) {
  (void)near;
  set_normcdf(result, X);
}

/* exp(-y^2 / divisor) * sqrt(square): the slope of erf (1, 4 / pi) and of normcdf (2, 1 / (2 pi)). */
static void set_slope(mpfr_t slope, mpfr_t y, unsigned divisor, unsigned numerator, unsigned denominator) {
  mpfr_t factor;
  mpfr_init2(factor, mpfr_get_prec(slope));
  mpfr_const_pi(factor, MPFR_RNDN);
  mpfr_mul_ui(factor, factor, denominator, MPFR_RNDN);
  mpfr_ui_div(factor, numerator, factor, MPFR_RNDN);
  mpfr_sqrt(factor, factor, MPFR_RNDN);
  mpfr_sqr(slope, y, MPFR_RNDN);
  mpfr_div_ui(slope, slope, divisor, MPFR_RNDN);
  mpfr_neg(slope, slope, MPFR_RNDN);
  mpfr_exp(slope, slope, MPFR_RNDN);
  mpfr_mul(slope, slope, factor, MPFR_RNDN);
  mpfr_clear(factor);
}

enum inverse { OF_ERF, OF_ERFC, OF_NORMCDF };
static void invert(mpfr_t result, mpfr_t x, double near, enum inverse which) {
  mpfr_t y, excess, slope;
  mpfr_inits2(mpfr_get_prec(result) + 64, y, excess, slope, (mpfr_ptr)0);
  mpfr_set_d(y, near, MPFR_RNDN);
  for (int step = 0; step < 4; step++) {
    if (which == OF_NORMCDF)
      set_normcdf(excess, y);
    else
      (which == OF_ERF ? mpfr_erf : mpfr_erfc)(excess, y, MPFR_RNDN);
    mpfr_sub(excess, excess, x, MPFR_RNDN);
    if (which == OF_NORMCDF)
      set_slope(slope, y, 2, 1, 2);
    else
      set_slope(slope, y, 1, 4, 1);
    mpfr_div(excess, excess, slope, MPFR_RNDN);
    if (which == OF_ERFC)
      mpfr_neg(excess, excess, MPFR_RNDN);
    mpfr_sub(y, y, excess, MPFR_RNDN);
  }
  mpfr_set(result, y, MPFR_RNDN);
  mpfr_clears(y, excess, slope, (mpfr_ptr)0);
}
DEFINE(erfinv) { invert(result, X, near, OF_ERF); }
DEFINE(erfcinv) { invert(result, X, near, OF_ERFC); }
DEFINE(normcdfinv) { invert(result, X, near, OF_NORMCDF); }

/* The power series, whose terms are all of one sign: (x/2)^order sum (x^2/4)^k / (k! (k + order)!). */
static void bessel_i(mpfr_t result, mpfr_t x, unsigned order) {
  mpfr_t term, quarter;
  mpfr_inits2(mpfr_get_prec(result) + 32, term, quarter, (mpfr_ptr)0);
  mpfr_sqr(quarter, x, MPFR_RNDN);
  mpfr_div_2ui(quarter, quarter, 2, MPFR_RNDN);
  if (order)
    mpfr_div_2ui(term, x, 1, MPFR_RNDN);
  else
    mpfr_set_ui(term, 1, MPFR_RNDN);
  mpfr_set(result, term, MPFR_RNDN);
  for (unsigned k = 1; !mpfr_zero_p(term) && mpfr_get_exp(term) > mpfr_get_exp(result) - mpfr_get_prec(result); k++) {
    mpfr_mul(term, term, quarter, MPFR_RNDN);
    mpfr_div_ui(term, term, (unsigned long)k * (k + order), MPFR_RNDN);
    mpfr_add(result, result, term, MPFR_RNDN);
  }
  mpfr_clears(term, quarter, (mpfr_ptr)0);
}
DEFINE(cyl_bessel_i0) {
  (void)near;
  bessel_i(result, X, 0);
}
DEFINE(cyl_bessel_i1) {
  (void)near;
  bessel_i(result, X, 1);
}
