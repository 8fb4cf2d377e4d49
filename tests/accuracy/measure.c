/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * measure [samples]: tries every function of the table at that many arguments for each range (5000 if not said), the same
 * ones on every run, and prints docs/accuracy.md. Half and bfloat16 functions of one argument are tried at every one.
 *
 * The error is the distance from the exact result in units of the last place of the format at that result, denormal
 * numbers included. CUDA's bounds count units from the exact result rounded to the format, which is what is compared.
 * Exit status 1 if a bound is exceeded, with the function and the argument on stderr.
 */
#include "accuracy.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *title;
  int digits, least_exponent, greatest_exponent;
} formats[] = {
    [IN_SINGLE] = {"Single precision", 24, -126, 127},
    [IN_DOUBLE] = {"Double precision", 53, -1022, 1023},
    [IN_HALF] = {"half", 11, -14, 15},
    [IN_BFLOAT16] = {"bfloat16", 8, -126, 127},
};

static uint64_t state;
static double random_unit(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) * 0x1p-53;
}

/* The exponent of the format's unit at a value. */
static int unit_exponent(double value, number_format f) {
  int exponent = value == 0 ? formats[f].least_exponent : ilogb(value);
  return (exponent < formats[f].least_exponent ? formats[f].least_exponent : exponent) - (formats[f].digits - 1);
}
static double to_format(double value, number_format f) {
  if (f == IN_DOUBLE || value == 0 || !isfinite(value))
    return value;
  int unit = unit_exponent(value, f);
  double rounded = ldexp(rint(ldexp(value, -unit)), unit);
  return fabs(rounded) >= ldexp(1, formats[f].greatest_exponent + 1) ? copysign(INFINITY, value) : rounded;
}
/* The exact value rounded once to the format. */
static double round_exact(mpfr_t exact, number_format f) {
  if (mpfr_zero_p(exact) || !mpfr_number_p(exact))
    return mpfr_get_d(exact, MPFR_RNDN);
  long exponent = mpfr_get_exp(exact) - 1, least = formats[f].least_exponent;
  long unit = (exponent < least ? least : exponent) - (formats[f].digits - 1);
  mpfr_t scaled;
  mpfr_init2(scaled, mpfr_get_prec(exact));
  mpfr_mul_2si(scaled, exact, -unit, MPFR_RNDN);
  mpfr_rint(scaled, scaled, MPFR_RNDN);
  mpfr_mul_2si(scaled, scaled, unit, MPFR_RNDN);
  double rounded = mpfr_get_d(scaled, MPFR_RNDN);
  mpfr_clear(scaled);
  return fabs(rounded) >= ldexp(1, formats[f].greatest_exponent) * 2 ? copysign(INFINITY, rounded) : rounded;
}

static double sample(const range *r, int index, int count, number_format f) {
  double value;
  if (index < 2)
    value = index ? r->most : r->least;
  else if (r->how == EVENLY)
    value = r->least + (r->most - r->least) * ((index - 2 + random_unit()) / (count - 2));
  else
    value = exp2(log2(r->least) + (log2(r->most) - log2(r->least)) * ((index - 2 + random_unit()) / (count - 2)));
  value = to_format(value, f);
  return r->how == BY_EXPONENT && random_unit() < 0.5 ? -value : value;
}

typedef struct {
  double ulps, distance, absolute, where[MOST_ARGUMENTS];
} worst;

static void judge(const function *f, double *const arguments[], double *results, int count, worst *w) {
  mpfr_t exact, error, x[MOST_ARGUMENTS];
  mpfr_inits2(128, exact, error, (mpfr_ptr)0);
  for (int a = 0; a < MOST_ARGUMENTS; a++)
    mpfr_init2(x[a], 53);
  for (int i = 0; i < count; i++) {
    for (int a = 0; a < MOST_ARGUMENTS; a++)
      mpfr_set_d(x[a], arguments[a][i], MPFR_RNDN);
    double got = results[i];
    f->exact(exact, x, got);
    double rounded = round_exact(exact, f->format);
    if (isnan(got) && isnan(rounded))
      continue;
    double ulps = INFINITY, distance = INFINITY, absolute = INFINITY;
    if (got == rounded && isinf(got)) {
      ulps = distance = absolute = 0;
    } else if (isfinite(got) && isfinite(rounded)) {
      mpfr_d_sub(error, got, exact, MPFR_RNDN);
      absolute = fabs(mpfr_get_d(error, MPFR_RNDN));
      ulps = ldexp(absolute, -unit_exponent(rounded, f->format));
      distance = ldexp(fabs(got - rounded), -unit_exponent(rounded, f->format));
    }
    if (absolute > w->absolute || isnan(absolute))
      w->absolute = absolute;
    if (ulps > w->ulps || distance > w->distance) {
      w->ulps = fmax(ulps, w->ulps);
      w->distance = fmax(distance, w->distance);
      for (int a = 0; a < MOST_ARGUMENTS; a++)
        w->where[a] = arguments[a][i];
    }
  }
  mpfr_clears(exact, error, (mpfr_ptr)0);
  for (int a = 0; a < MOST_ARGUMENTS; a++)
    mpfr_clear(x[a]);
}

static int fill_all(const function *f, const range *r, double *arguments[]) {
  int count = 0, digits = formats[f->format].digits;
  for (int bits = 0; bits < 1 << 16; bits++) {
    int exponent = (bits & 0x7fff) >> (digits - 1), fraction = bits & ((1 << (digits - 1)) - 1);
    int least = formats[f->format].least_exponent;
    if (exponent == (1 << (16 - digits)) - 1)
      continue;
    double value = exponent ? ldexp((1 << (digits - 1)) + fraction, exponent - 1 + least - (digits - 1))
                            : ldexp(fraction, least - (digits - 1));
    if (bits & 0x8000)
      value = -value;
    if (value >= r->least && value <= r->most)
      arguments[0][count++] = value;
  }
  return count;
}

static void print_number(double value) {
  if (value == 0 || (fabs(value) >= 1e-3 && fabs(value) < 1e6))
    printf("%.6g", value);
  else
    printf("%.1e", value);
}

int main(int argc, char **argv) {
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
  int samples = argc > 1 ? atoi(argv[1]) : 5000, status = 0, most = samples < 1 << 16 ? 1 << 16 : samples;
  double *arguments[MOST_ARGUMENTS], *results = malloc((size_t)most * sizeof *results);
  for (int a = 0; a < MOST_ARGUMENTS; a++)
    arguments[a] = calloc((size_t)most, sizeof **arguments);
  printf(
      "# How accurate the mathematical functions are\n\n"
      "Made by `make accuracy` (tests/accuracy): device code, compiled by unwarp, against MPFR with 128 bits, at the "
      "same\n"
      "arguments on every run, spread over each range evenly or, where it spans many powers of two, evenly in the\n"
      "exponent and with both signs; for half and bfloat16 at every number of the range. *Error* is the largest\n"
      "distance from the exact result, in units of the last place (ulp). *Units off* counts from the exact result\n"
      "rounded to the format, as CUDA's bounds do (CUDA C++ Programming Guide, \"Mathematical Functions\"): 0 means\n"
      "always the nearest number. A test fails where a bound is exceeded.\n");
  number_format last = (number_format)-1;
  for (int i = 0; i < function_count; i++) {
    const function *f = &functions[i];
    if (f->format != last)
      printf("\n## %s\n\n| function | range | error | units off | CUDA's bound |\n| --- | --- | --- | --- | --- |\n",
             formats[last = f->format].title);
    for (int r = 0; r < MOST_RANGES && f->ranges[r].how != NO_RANGE; r++) {
      const range *own = &f->ranges[r];
      state = 12345;
      int count = samples;
      if (f->format == IN_HALF || f->format == IN_BFLOAT16)
        count = fill_all(f, own, arguments);
      else
        for (int s = 0; s < samples; s++) {
          arguments[0][s] = sample(own, s, samples, f->format);
          for (int a = 1; a < f->arguments; a++) /* the ends of the first range meet various others */
            arguments[a][s] = sample(&f->others, 2 + (int)(random_unit() * (samples - 2)), samples, f->format);
        }
      f->evaluate(arguments, results, count);
      worst w = {0};
      judge(f, arguments, results, count, &w);
      printf("| %s | ", f->name);
      if (own->how == BY_EXPONENT)
        printf("±");
      print_number(own->least);
      printf(" … ");
      print_number(own->most);
      if (f->absolute)
        printf(" | %.1e absolute | | %s |\n", w.absolute, f->bound);
      else
        printf(" | %.2f | %.0f | %s |\n", w.ulps, w.distance, f->bound);
      if (f->absolute ? !(w.absolute <= f->absolute) : !(w.distance <= f->ulps)) {
        fprintf(stderr, "%s is off by %g ulp (%g from the rounded result, %g absolute); bound %s; at", f->name, w.ulps,
                w.distance, w.absolute, f->bound);
        for (int a = 0; a < f->arguments; a++)
          fprintf(stderr, " %a", w.where[a]);
        fprintf(stderr, "\n");
        status = 1;
      }
    }
  }
  return status;
}
