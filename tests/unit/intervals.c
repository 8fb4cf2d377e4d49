/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arithmetic with intervals against all values in them: integers of 4 bits, and random floating-point values. A result outside of
 * the interval that was computed, or an interval that says less than it could, ends the program.
 *
 * Sources: compiler/analysis/intervals.c -lm */
#include "../../compiler/analysis/intervals.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      printf("%s:%d: failed: %s (kind %d)\n", __FILE__, __LINE__, #condition, (int)kind);                              \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

enum { BITS = 4, NUMBERS = 1 << BITS, TRIALS = 4000 };

static uint64_t state = 1;
static unsigned draw(unsigned below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % below;
}

static int signed_of(int pattern) { return pattern >= NUMBERS / 2 ? pattern - NUMBERS : pattern; }

static bool holds(uw_integers in, int pattern) {
  int number = signed_of(pattern);
  return in.smin <= number && number <= in.smax && in.umin <= pattern && pattern <= in.umax;
}

static uw_integers draw_integers(void) {
  int a = (int)draw(NUMBERS), b = (int)draw(NUMBERS);
  if (draw(2))
    return uw_unsigned_between(BITS, a < b ? a : b, a < b ? b : a, true);
  a = signed_of(a);
  b = signed_of(b);
  return uw_signed_between(BITS, a < b ? a : b, a < b ? b : a, true);
}

/* The pattern of the result; false: undefined, or poison. */
static bool compute(uw_kind_t kind, int a, int b, bool nsw, bool nuw, int *result) {
  int x = signed_of(a), y = signed_of(b), exact = 0, plain = 0;
  switch (kind) {
  case UW_OP_ARITH_ADDI:
    exact = x + y;
    plain = a + b;
    break;
  case UW_OP_ARITH_SUBI:
    exact = x - y;
    plain = a - b;
    break;
  case UW_OP_ARITH_MULI:
    exact = x * y;
    plain = a * b;
    break;
  case UW_OP_ARITH_SHLI:
    if (b >= BITS)
      return false;
    exact = x * (1 << b);
    plain = a << b;
    break;
  case UW_OP_ARITH_SHRSI:
    exact = x >> b;
    plain = exact & (NUMBERS - 1);
    return *result = plain, b < BITS;
  case UW_OP_ARITH_SHRUI: return *result = a >> b, b < BITS;
  case UW_OP_ARITH_DIVSI: return *result = (y ? x / y : 0) & (NUMBERS - 1), y != 0 && !(x == -NUMBERS / 2 && y == -1);
  case UW_OP_ARITH_DIVUI: return *result = b ? a / b : 0, b != 0;
  case UW_OP_ARITH_REMSI: return *result = (y ? x % y : 0) & (NUMBERS - 1), y != 0 && !(x == -NUMBERS / 2 && y == -1);
  case UW_OP_ARITH_REMUI: return *result = b ? a % b : 0, b != 0;
  case UW_OP_ARITH_ANDI: return *result = a & b, true;
  case UW_OP_ARITH_ORI: return *result = a | b, true;
  case UW_OP_ARITH_XORI: return *result = a ^ b, true;
  case UW_OP_ARITH_MINSI: return *result = x < y ? a : b, true;
  case UW_OP_ARITH_MAXSI: return *result = x > y ? a : b, true;
  case UW_OP_ARITH_MINUI: return *result = a < b ? a : b, true;
  default: return *result = a > b ? a : b, true;
  }
  *result = plain & (NUMBERS - 1);
  return !(nsw && exact != signed_of(*result)) && !(nuw && plain != *result);
}

static void check_integers(uw_kind_t kind) {
  for (int trial = 0; trial < TRIALS; trial++) {
    uw_integers left = draw_integers(), right = draw_integers();
    bool nsw = draw(2), nuw = draw(2);
    uw_integers found = uw_integers_of(kind, left, right, nsw, nuw);
    for (int a = 0; a < NUMBERS; a++)
      for (int b = 0, result; b < NUMBERS; b++)
        if (holds(left, a) && holds(right, b) && compute(kind, a, b, nsw, nuw, &result))
          CHECK(holds(found, result));
  }
}

static void check_sets(void) {
  uw_kind_t kind = UW_OP_OTHER;
  for (int trial = 0; trial < TRIALS; trial++) {
    uw_integers a = draw_integers(), b = draw_integers();
    for (int x = 0; x < NUMBERS; x++) {
      CHECK(!holds(a, x) || holds(uw_either_integer(a, b), x));
      CHECK(!holds(a, x) || !holds(b, x) || holds(uw_both_integers(a, b), x));
      if (!holds(a, x))
        continue;
      uw_integers wide = uw_resized(a, 7, true), plain = uw_resized(a, 7, false), cut = uw_resized(a, 3, draw(2));
      CHECK(wide.smin <= signed_of(x) && signed_of(x) <= wide.smax);
      CHECK(plain.umin <= x && x <= plain.umax && plain.smin <= x && x <= plain.smax);
      int kept = x & 7, with_sign = kept >= 4 ? kept - 8 : kept;
      CHECK(cut.umin <= kept && kept <= cut.umax && cut.smin <= with_sign && with_sign <= cut.smax);
    }
  }
}

/* A number of any size, with few bits now and then, so that results are exact. */
static float draw_float(void) {
  float number = (float)(int)draw(1 << draw(24)) - (float)draw(3);
  return ldexpf(number, draw(3) ? 0 : (int)draw(240) - 150);
}

static float between(uw_floats in) {
  double at = in.low + (in.high - in.low) * draw(1001) / 1000;
  float number = (float)at;
  return number < in.low ? (float)in.low : number > in.high ? (float)in.high : number;
}

static bool float_holds(uw_floats in, double number) {
  return isnan(number) ? in.nan : in.low <= number && number <= in.high;
}

static uw_floats draw_floats(void) {
  float a = draw_float(), b = draw(4) ? draw_float() : a;
  return uw_floats_between(32, a < b ? a : b, a < b ? b : a);
}

static float flushed(float number) { return fabsf(number) < FLT_MIN ? 0 : number; }

static void check_floats(uw_kind_t kind) {
  for (int trial = 0; trial < TRIALS * 10; trial++) {
    uw_floats left = draw_floats(), right = draw_floats(), third = draw_floats();
    uw_floats found = uw_floats_of(kind, 32, left, right), sum = uw_floats_of(UW_OP_ARITH_ADDF, 32, found, third);
    for (int i = 0; i < 4; i++) {
      volatile float a = between(left), b = between(right), c = between(third), result = 0;
      switch (kind) {
      case UW_OP_ARITH_ADDF: result = a + b; break;
      case UW_OP_ARITH_SUBF: result = a - b; break;
      case UW_OP_ARITH_MULF: result = a * b; break;
      case UW_OP_ARITH_DIVF: result = a / b; break;
      case UW_OP_ARITH_MAXNUMF: result = a > b ? a : b; break;
      default: result = a < b ? a : b;
      }
      CHECK(float_holds(found, result) && float_holds(found, flushed(result)));
      if (kind == UW_OP_ARITH_MULF)
        CHECK(float_holds(sum, fmaf(a, b, c)) && float_holds(sum, result + c));
    }
  }
}

static void check_rest(void) {
  uw_kind_t kind = UW_OP_OTHER;
  for (int trial = 0; trial < TRIALS; trial++) {
    uw_floats in = draw_floats();
    float a = between(in);
    CHECK(float_holds(uw_magnitude(in), fabsf(a)));
    CHECK(a < 0 || float_holds(uw_square_root(32, in), sqrtf(a)));
    if (fabsf(a) < 100) {
      uw_integers cut = uw_integer_of_float(8, in, true);
      CHECK(cut.smin <= (int)a && (int)a <= cut.smax);
    }
    int64_t number = (int64_t)(draw(1u << 31) * UINT64_C(0x300000005) << draw(8));
    uw_integers one = uw_one_integer(64, number), more = uw_either_integer(one, uw_one_integer(64, (int64_t)draw(9)));
    CHECK(float_holds(uw_float_of_integer(32, more, true), (float)number) &&
          float_holds(uw_float_of_integer(64, more, true), (double)number));
    CHECK(float_holds(uw_float_of_integer(32, more, false), (float)(uint64_t)number));
  }
}

/* A product of doubles is not rounded where it is contracted with a sum. */
static void check_doubles(void) {
  uw_kind_t kind = UW_OP_ARITH_MULF;
  for (int trial = 0; trial < TRIALS; trial++) {
    double a = (double)draw(1u << 31) / 3, b = (double)draw(1u << 31) / 7, product = a * b;
    uw_floats found = uw_floats_of(kind, 64, uw_floats_between(64, a, a), uw_floats_between(64, b, b));
    CHECK(float_holds(uw_floats_of(UW_OP_ARITH_SUBF, 64, found, uw_floats_between(64, product, product)),
                      fma(a, b, -product)));
  }
}

/* What matters is exact: bytes and their products, quotients and sums. */
static void check_sharpness(void) {
  uw_kind_t kind = UW_OP_OTHER;
  uw_floats bytes = uw_float_of_integer(32, uw_unsigned_between(32, 0, 255, true), false);
  uw_floats width = uw_float_of_integer(32, uw_unsigned_between(32, 1, 255, true), false);
  uw_floats one = uw_floats_between(32, 255, 255), scale = uw_floats_of(UW_OP_ARITH_DIVF, 32, one, width);
  CHECK(bytes.low == 0 && bytes.high == 255 && scale.low == 1 && scale.high == 255);
  uw_floats product = uw_floats_of(UW_OP_ARITH_MULF, 32, bytes, scale);
  CHECK(product.low == 0 && product.high == 65025 && uw_is_finite(product));
  CHECK(!uw_is_finite(uw_floats_of(UW_OP_ARITH_DIVF, 32, one, bytes)));
  CHECK(!uw_is_finite(
      uw_floats_of(UW_OP_ARITH_MULF, 32, uw_floats_between(32, 0, 1e30), uw_floats_between(32, 0, 1e30))));
  CHECK(uw_floats_of(UW_OP_ARITH_MAXNUMF, 32, uw_all_floats(), one).low == 255 &&
        !uw_floats_of(UW_OP_ARITH_MAXNUMF, 32, uw_all_floats(), one).nan);
  CHECK(uw_floats_of(UW_OP_ARITH_MAXIMUMF, 32, uw_all_floats(), one).nan);
  CHECK(uw_floats_of(UW_OP_ARITH_MULF, 32, uw_floats_between(32, 0, 1e30), uw_floats_between(32, 0, 1e30)).nan);
  uw_floats or_nan = {0, 1, true}, below = uw_floats_between(32, -5, -5), above = uw_floats_between(32, 5, 5);
  CHECK(uw_floats_of(UW_OP_ARITH_MAXNUMF, 32, or_nan, below).low == -5 &&
        uw_floats_of(UW_OP_ARITH_MAXNUMF, 32, below, or_nan).low == -5);
  CHECK(uw_floats_of(UW_OP_ARITH_MINNUMF, 32, or_nan, above).high == 5 &&
        uw_floats_of(UW_OP_ARITH_MINNUMF, 32, above, or_nan).high == 5);
}

int main(void) {
  static const uw_kind_t integers[] = {
      UW_OP_ARITH_ADDI,  UW_OP_ARITH_SUBI,  UW_OP_ARITH_MULI,  UW_OP_ARITH_SHLI,  UW_OP_ARITH_SHRSI, UW_OP_ARITH_SHRUI,
      UW_OP_ARITH_DIVSI, UW_OP_ARITH_DIVUI, UW_OP_ARITH_REMSI, UW_OP_ARITH_REMUI, UW_OP_ARITH_ANDI,  UW_OP_ARITH_ORI,
      UW_OP_ARITH_XORI,  UW_OP_ARITH_MINSI, UW_OP_ARITH_MAXSI, UW_OP_ARITH_MINUI, UW_OP_ARITH_MAXUI};
  static const uw_kind_t floats[] = {UW_OP_ARITH_ADDF, UW_OP_ARITH_SUBF,    UW_OP_ARITH_MULF,
                                     UW_OP_ARITH_DIVF, UW_OP_ARITH_MAXNUMF, UW_OP_ARITH_MINNUMF};
  for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
    check_integers(integers[i]);
  for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
    check_floats(floats[i]);
  check_sets();
  check_rest();
  check_doubles();
  check_sharpness();
  puts("all intervals hold what they should");
  return 0;
}
