/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Mathematical functions against long double references, in units of the last place, over the ranges where programs
 * use them; and their values at the special arguments that CUDA's manual lists.
 */
#include "check.h"

#define DECLARE_1(name)                                                                                                \
  double __nv_##name(double);                                                                                          \
  float __nv_##name##f(float);
// clang-format off
DECLARE_1(sin)
DECLARE_1(cos) DECLARE_1(tan) DECLARE_1(exp) DECLARE_1(exp2) DECLARE_1(exp10) DECLARE_1(expm1) DECLARE_1(log)
    DECLARE_1(log2) DECLARE_1(log10) DECLARE_1(log1p) DECLARE_1(sqrt) DECLARE_1(rsqrt) DECLARE_1(cbrt) DECLARE_1(rcbrt)
        DECLARE_1(asin) DECLARE_1(acos) DECLARE_1(atan) DECLARE_1(sinh) DECLARE_1(cosh) DECLARE_1(tanh) DECLARE_1(asinh)
            DECLARE_1(acosh) DECLARE_1(atanh) DECLARE_1(erf) DECLARE_1(erfc) DECLARE_1(erfcx) DECLARE_1(erfinv)
                DECLARE_1(erfcinv) DECLARE_1(normcdf) DECLARE_1(normcdfinv) DECLARE_1(sinpi) DECLARE_1(cospi)
                    DECLARE_1(lgamma) DECLARE_1(tgamma) DECLARE_1(cyl_bessel_i0) DECLARE_1(cyl_bessel_i1)
                        DECLARE_1(ceil) DECLARE_1(floor) DECLARE_1(round) DECLARE_1(rint) DECLARE_1(trunc)
                            DECLARE_1(fabs) DECLARE_1(logb) DECLARE_1(j0) DECLARE_1(y1)
// clang-format on
#define DECLARE_2(name)                                                                                                \
  double __nv_##name(double, double);                                                                                  \
  float __nv_##name##f(float, float);
    // clang-format off
                                DECLARE_2(pow) DECLARE_2(atan2) DECLARE_2(hypot) DECLARE_2(rhypot) DECLARE_2(fmod)
                                    DECLARE_2(remainder) DECLARE_2(fmin) DECLARE_2(fmax) DECLARE_2(copysign)
    // clang-format on
    DECLARE_2(nextafter) DECLARE_2(fdim) double __nv_norm3d(double, double, double),
    __nv_norm4d(double, double, double, double);
double __nv_rnorm3d(double, double, double), __nv_rnorm4d(double, double, double, double);
float __nv_norm3df(float, float, float), __nv_rnorm4df(float, float, float, float);
double __nv_norm(int, const double *), __nv_rnorm(int, const double *);
float __nv_normf(int, const float *), __nv_rnormf(int, const float *);
double __nv_frexp(double, int *), __nv_modf(double, double *), __nv_ldexp(double, int), __nv_powi(double, int);
float __nv_frexpf(float, int *), __nv_modff(float, float *), __nv_ldexpf(float, int), __nv_powif(float, int);
double __nv_jn(int, double), __nv_yn(int, double);
float __nv_saturatef(float);
int __nv_ilogb(double);

/* References that the C library has no long double function for. */
static long double erfcx_reference(long double x) {
  long double square = x * x, rest = fmal(x, x, -square);
  return expl(square) * (1 + rest) * erfcl(x);
}
static long double erfinv_reference(long double x) {
  long double low = 0, high = 7;
  for (int i = 0; i < 90; ++i) {
    long double middle = (low + high) / 2;
    *(fabsl(x) > 0.5L ? (1 - erfcl(middle) < fabsl(x) ? &low : &high) : (erfl(middle) < fabsl(x) ? &low : &high)) =
        middle;
  }
  return copysignl(low, x);
}
static long double erfcinv_reference(long double z) {
  if (z > 0.5L && z < 1.5L)
    return erfinv_reference(1 - z);
  long double low = -7, high = 30;
  for (int i = 0; i < 90; ++i) {
    long double middle = (low + high) / 2;
    *(erfcl(middle) > z ? &low : &high) = middle;
  }
  return low;
}
static long double normcdf_reference(long double x) { return erfcl(-x * 0.70710678118654752440084436210484904L) / 2; }
static long double normcdfinv_reference(long double p) {
  return -1.41421356237309504880168872420969808L * erfcinv_reference(2 * p);
}
#define PI_L 3.14159265358979323846264338327950288L
static long double sinpi_reference(long double x) {
  x -= 2 * rintl(x / 2);
  return fabsl(x) <= 0.25L  ? sinl(PI_L * x)
         : fabsl(x) > 0.75L ? copysignl(sinl(PI_L * (1 - fabsl(x))), x)
                            : copysignl(cosl(PI_L * (0.5L - fabsl(x))), x);
}
static long double cospi_reference(long double x) {
  x = fabsl(x - 2 * rintl(x / 2));
  return x <= 0.25L ? cosl(PI_L * x) : x > 0.75L ? -cosl(PI_L * (1 - x)) : sinl(PI_L * (0.5L - x));
}
static long double bessel_reference(int order, long double x) {
  long double term = order ? x / 2 : 1, sum = term;
  for (int k = 1; k < 2000; ++k)
    sum += term *= x * x / 4 / ((long double)k * (k + order));
  return sum;
}
static long double bessel_i0_reference(long double x) { return bessel_reference(0, x); }
static long double bessel_i1_reference(long double x) { return bessel_reference(1, x); }
static long double rsqrt_reference(long double x) { return 1 / sqrtl(x); }
static long double rcbrt_reference(long double x) { return 1 / cbrtl(x); }
static long double exp10_reference(long double x) { return powl(10, x); }

static double ulps_of_double(double result, long double exact) {
  if (isnan(result) || isnan(exact))
    return isnan(result) && isnan(exact) ? 0 : INFINITY;
  if ((double)exact == result)
    return 0;
  if (isinf(result) || isinf((double)exact))
    return INFINITY;
  int exponent = fabsl(exact) < 0x1p-1022L ? -1022 : ilogbl(exact);
  return (double)(fabsl((long double)result - exact) / ldexpl(1, exponent - 52));
}
static double ulps_of_float(float result, long double exact) {
  if (isnan(result) || isnan(exact))
    return isnan(result) && isnan(exact) ? 0 : INFINITY;
  if ((float)exact == result)
    return 0;
  if (isinf(result) || isinf((float)exact))
    return INFINITY;
  int exponent = fabsl(exact) < 0x1p-126L ? -126 : ilogbl(exact);
  return (double)(fabsl((long double)result - exact) / ldexpl(1, exponent - 23));
}

static int report;
static void compare(const char *name, double (*function)(double), float (*function_f)(float),
                    long double (*reference)(long double), double low, double high, double limit, double limit_f) {
  double worst = 0, worst_f = 0, where = 0, where_f = 0;
  for (int i = 0; i < 20000; ++i) {
    double x = random_between(low, high);
    if (low > 0 && high / low > 1e6) /* many decades: spread evenly over the exponents */
      x = exp(random_between(log(low), log(high)));
    double error = ulps_of_double(function(x), reference(x));
    if (error > worst)
      worst = error, where = x;
    float y = (float)x;
    error = y == 0 ? 0 : ulps_of_float(function_f(y), reference(y));
    if (error > worst_f)
      worst_f = error, where_f = y;
  }
  if (report)
    printf("  %-14s [%g, %g]: %.2f ulp at %a, float %.2f ulp at %a\n", name, low, high, worst, where, worst_f, where_f);
  CHECK(worst <= limit, "%s is off by %.2f ulp at %a", name, worst, where);
  CHECK(worst_f <= limit_f, "%sf is off by %.2f ulp at %a", name, worst_f, where_f);
}
#define COMPARE(name, reference, low, high, limit, limit_f)                                                            \
  compare(#name, __nv_##name, __nv_##name##f, reference, low, high, limit, limit_f)

static void check_accuracy(void) {
  COMPARE(sin, sinl, -1000, 1000, 1, 1);
  COMPARE(cos, cosl, -1000, 1000, 1, 1);
  COMPARE(tan, tanl, -100, 100, 1, 1);
  COMPARE(exp, expl, -80, 80, 1, 1.5);
  COMPARE(exp2, exp2l, -120, 120, 1, 1.5);
  COMPARE(exp10, exp10_reference, -37, 37, 2.5, 1.5);
  COMPARE(expm1, expm1l, -5, 5, 1.5, 1);
  COMPARE(log, logl, 1e-30, 1e30, 1, 1);
  COMPARE(log, logl, 0.5, 2, 1, 1);
  COMPARE(log2, log2l, 1e-30, 1e30, 1, 1);
  COMPARE(log10, log10l, 1e-30, 1e30, 2, 2);
  COMPARE(log1p, log1pl, -0.9, 10, 1.5, 1.5);
  COMPARE(sqrt, sqrtl, 1e-30, 1e30, 0.5, 0.5);
  COMPARE(rsqrt, rsqrt_reference, 1e-30, 1e30, 1.5, 1.5);
  COMPARE(cbrt, cbrtl, 1e-30, 1e30, 4, 1);
  COMPARE(rcbrt, rcbrt_reference, 1e-30, 1e30, 1, 0.51);
  COMPARE(asin, asinl, -1, 1, 1, 1);
  COMPARE(acos, acosl, -1, 1, 1, 1);
  COMPARE(atan, atanl, -10, 10, 1, 1);
  COMPARE(sinh, sinhl, -20, 20, 2.5, 2.5);
  COMPARE(cosh, coshl, -20, 20, 2.5, 2.5);
  COMPARE(tanh, tanhl, -5, 5, 2.5, 2.5);
  COMPARE(asinh, asinhl, -100, 100, 2.5, 2.5);
  COMPARE(acosh, acoshl, 1, 100, 2.5, 2.5);
  COMPARE(atanh, atanhl, -0.99, 0.99, 2.5, 2.5);
  COMPARE(erf, erfl, -4, 4, 1.5, 1.5);
  COMPARE(erfc, erfcl, -4, 8, 5, 5);
  COMPARE(tgamma, tgammal, 0.1, 30, 10, 10);
  COMPARE(lgamma, lgammal, 3, 100, 4, 0.51);
  COMPARE(sinpi, sinpi_reference, -1000, 1000, 1, 0.51);
  COMPARE(cospi, cospi_reference, -1000, 1000, 1, 0.51);
  COMPARE(erfcx, erfcx_reference, -5, 10, 6, 0.51);
  COMPARE(erfcx, erfcx_reference, 10, 80, 3, 0.51);
  COMPARE(erfinv, erfinv_reference, -0.999, 0.999, 3, 0.51);
  COMPARE(erfcinv, erfcinv_reference, 0.4, 1.9, 4, 0.51);
  COMPARE(erfcinv, erfcinv_reference, 1e-300, 0.1, 3, 0.51);
  COMPARE(normcdf, normcdf_reference, -8, 8, 6, 0.51);
  COMPARE(normcdfinv, normcdfinv_reference, 1e-30, 0.4, 4, 0.51);
  COMPARE(cyl_bessel_i0, bessel_i0_reference, 0, 80, 5, 0.51);
  COMPARE(cyl_bessel_i1, bessel_i1_reference, 0, 80, 5, 0.51);
}

#define SPECIAL(expression, expected)                                                                                  \
  do {                                                                                                                 \
    double result = (double)(expression);                                                                              \
    CHECK(same_double(result, expected), "%s = %a, not %a", #expression, result, (double)(expected));                  \
  } while (0)

static void check_special_values(void) {
  int exponent;
  double whole;
  float whole_f;
  const double infinity = INFINITY, many[5] = {0x3p660, 0, 0, 0x4p660, 0}, one_infinite[2] = {NAN, -INFINITY};
  const float many_f[5] = {3e30f, 0, 0, 4e30f, 0};
  SPECIAL(__nv_erfinv(0.0), 0.0);
  SPECIAL(__nv_erfinv(-0.0), -0.0);
  SPECIAL(__nv_erfinv(1.0), infinity);
  SPECIAL(__nv_erfinv(-1.0), -infinity);
  SPECIAL(__nv_erfinv(1.5), NAN);
  SPECIAL(__nv_erfinvf(NAN), NAN);
  SPECIAL(__nv_erfcinv(0.0), infinity);
  SPECIAL(__nv_erfcinv(2.0), -infinity);
  SPECIAL(__nv_erfcinv(1.0), 0.0);
  SPECIAL(__nv_erfcinv(-0.1), NAN);
  SPECIAL(__nv_erfcinvf(2.1f), NAN);
  CHECK(fabs(__nv_erfcinv(0x1p-1074) - 27.213293210812947) < 1e-13, "erfcinv(2^-1074) = %.17g",
        __nv_erfcinv(0x1p-1074));
  SPECIAL(__nv_normcdfinv(0.0), -infinity);
  SPECIAL(__nv_normcdfinv(1.0), infinity);
  SPECIAL(__nv_normcdfinv(2.0), NAN);
  SPECIAL(__nv_normcdfinv(0.5), 0.0);
  SPECIAL(__nv_normcdf(infinity), 1.0);
  SPECIAL(__nv_normcdf(-infinity), 0.0);
  SPECIAL(__nv_normcdf(NAN), NAN);
  SPECIAL(__nv_normcdff(0.0f), 0.5);
  SPECIAL(__nv_erfcx(infinity), 0.0);
  SPECIAL(__nv_erfcx(-infinity), infinity);
  SPECIAL(__nv_erfcx(NAN), NAN);
  SPECIAL(__nv_erfcx(0.0), 1.0);
  SPECIAL(__nv_sinpi(0.0), 0.0);
  SPECIAL(__nv_sinpi(-0.0), -0.0);
  SPECIAL(__nv_sinpi(7.0), 0.0);
  SPECIAL(__nv_sinpi(-7.0), -0.0);
  SPECIAL(__nv_sinpi(0.5), 1.0);
  SPECIAL(__nv_sinpi(1.5), -1.0);
  SPECIAL(__nv_sinpi(-2.5), -1.0);
  SPECIAL(__nv_sinpi(1e300), 0.0);
  SPECIAL(__nv_sinpi(infinity), NAN);
  SPECIAL(__nv_cospi(0.0), 1.0);
  SPECIAL(__nv_cospi(0.5), 0.0);
  SPECIAL(__nv_cospi(1.0), -1.0);
  SPECIAL(__nv_cospi(1.5), 0.0);
  SPECIAL(__nv_cospi(-3.0), -1.0);
  SPECIAL(__nv_cospif(2.0f), 1.0);
  SPECIAL(__nv_cospi(-infinity), NAN);
  SPECIAL(__nv_rsqrt(0.0), infinity);
  SPECIAL(__nv_rsqrt(infinity), 0.0);
  SPECIAL(__nv_rsqrt(-1.0), NAN);
  SPECIAL(__nv_rcbrt(-0.0), -infinity);
  SPECIAL(__nv_rcbrt(infinity), 0.0);
  SPECIAL(__nv_norm3d(0, 0, 0), 0.0);
  SPECIAL(__nv_norm3d(NAN, infinity, 1), infinity);
  SPECIAL(__nv_norm3d(NAN, 1, 1), NAN);
  SPECIAL(__nv_norm3d(3e300, 4e300, 0), 5e300);
  SPECIAL(__nv_norm4d(0, 3 * 0x1p-1070, 0, 4 * 0x1p-1070), 5 * 0x1p-1070);
  SPECIAL(__nv_norm4d(0x1.8p1023, 0x1.8p1023, 0x1.8p1023, 0x1.8p1023), infinity);
  SPECIAL(__nv_rnorm3d(0, 0, 0), infinity);
  SPECIAL(__nv_rnorm3d(NAN, infinity, 1), 0.0);
  SPECIAL(__nv_rnorm4d(0, 0, 0x1p-600, 0), 0x1p600);
  SPECIAL(__nv_rhypot(infinity, NAN), 0.0);
  SPECIAL(__nv_rhypot(3, 4), 0.2);
  SPECIAL(__nv_rhypotf(3, 4), 0.2f);
  SPECIAL(__nv_norm3df(3e38f, 0, 0), 3e38f);
  SPECIAL(__nv_rnorm4df(2, 2, 2, 2), 0.25);
  SPECIAL(__nv_norm(5, many), 0x5p660);
  SPECIAL(__nv_norm(2, one_infinite), infinity);
  SPECIAL(__nv_rnorm(2, one_infinite), 0.0);
  SPECIAL(__nv_norm(0, many), 0.0);
  SPECIAL(__nv_normf(5, many_f), 5e30f);
  SPECIAL(__nv_rnormf(5, many_f), 2e-31f);
  SPECIAL(__nv_cyl_bessel_i0(0.0), 1.0);
  SPECIAL(__nv_cyl_bessel_i1(-0.0), -0.0);
  SPECIAL(__nv_cyl_bessel_i0(-infinity), infinity);
  SPECIAL(__nv_cyl_bessel_i1(-infinity), -infinity);
  SPECIAL(__nv_cyl_bessel_i0(NAN), NAN);
  CHECK(isfinite(__nv_cyl_bessel_i0(712)), "cyl_bessel_i0(712) overflows");
  SPECIAL(__nv_frexp(0x3p-1074, &exponent), 0.75);
  SPECIAL(exponent, -1072.0);
  SPECIAL(__nv_frexp(-8.0, &exponent), -0.5);
  SPECIAL(exponent, 4.0);
  SPECIAL(__nv_frexp(-0.0, &exponent), -0.0);
  SPECIAL(exponent, 0.0);
  SPECIAL(__nv_frexpf(INFINITY, &exponent), infinity);
  SPECIAL(__nv_frexpf(0x1p-149f, &exponent), 0.5);
  SPECIAL(exponent, -148.0);
  SPECIAL(__nv_modf(-2.5, &whole), -0.5);
  SPECIAL(whole, -2.0);
  SPECIAL(__nv_modf(-infinity, &whole), -0.0);
  SPECIAL(whole, -infinity);
  SPECIAL(__nv_modff(3.0f, &whole_f), 0.0);
  SPECIAL(__nv_modff(NAN, &whole_f), NAN);
  SPECIAL(__nv_ldexp(1.0, -1074), 0x1p-1074);
  SPECIAL(__nv_ldexpf(1.0f, 2000), infinity);
  SPECIAL(__nv_powi(2.0, -1074), 0x1p-1074);
  SPECIAL(__nv_powif(-1.0f, 0x7fffffff), -1.0);
  SPECIAL(__nv_powif(-2.0f, 3), -8.0);
  SPECIAL(__nv_jn(-1, 1.0), NAN);
  SPECIAL(__nv_yn(-1, 1.0), NAN);
  SPECIAL(__nv_fmax(NAN, 1.0), 1.0);
  SPECIAL(__nv_fmin(1.0, NAN), 1.0);
  SPECIAL(__nv_round(-2.5), -3.0);
  SPECIAL(__nv_rint(2.5), 2.0);
  SPECIAL(__nv_pow(-8.0, 1.0 / 3), NAN);
  SPECIAL(__nv_pow(0.0, 0.0), 1.0);
  SPECIAL(__nv_saturatef(NAN), 0.0);
  SPECIAL(__nv_saturatef(-1.0f), 0.0);
  SPECIAL(__nv_saturatef(2.0f), 1.0);
  SPECIAL(__nv_ilogb(1024.5), 10.0);
}

int main(int count, char **arguments) {
  report = count > 1 && !strcmp(arguments[1], "--report");
  check_accuracy();
  check_special_values();
  return failures != 0;
}
