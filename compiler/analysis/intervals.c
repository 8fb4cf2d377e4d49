/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arithmetic with intervals: see intervals.h. */
#include "intervals.h"

#include <float.h>
#include <math.h>

/* --- integers ----------------------------------------------------------------------------------------------------- */

static uw_int128 power(unsigned bits) { return (uw_int128)1 << bits; }
static uw_int128 least(uw_int128 a, uw_int128 b) { return a < b ? a : b; }
static uw_int128 most(uw_int128 a, uw_int128 b) { return a > b ? a : b; }

uw_integers uw_all_integers(unsigned bits) {
  return (uw_integers){bits, -power(bits - 1), power(bits - 1) - 1, 0, power(bits) - 1};
}

/* Lets each interval say what it does about the other. */
static uw_integers settled(uw_integers a) {
  for (int twice = 0; twice < 2; twice++) {
    if (a.smin >= 0 || a.smax < 0) { /* one sign: one order */
      uw_int128 offset = a.smin >= 0 ? 0 : power(a.bits);
      a.umin = most(a.umin, a.smin + offset);
      a.umax = least(a.umax, a.smax + offset);
    }
    if (a.umax < power(a.bits - 1) || a.umin >= power(a.bits - 1)) {
      uw_int128 offset = a.umax < power(a.bits - 1) ? 0 : power(a.bits);
      a.smin = most(a.smin, a.umin - offset);
      a.smax = least(a.smax, a.umax - offset);
    }
  }
  return a.smin <= a.smax && a.umin <= a.umax ? a : uw_all_integers(a.bits); /* nothing: only poison comes here */
}

uw_integers uw_signed_between(unsigned bits, uw_int128 low, uw_int128 high, bool wraps) {
  uw_integers all = uw_all_integers(bits);
  if (wraps && (low < all.smin || high > all.smax))
    return all;
  all.smin = most(all.smin, low);
  all.smax = least(all.smax, high);
  return settled(all);
}

uw_integers uw_unsigned_between(unsigned bits, uw_int128 low, uw_int128 high, bool wraps) {
  uw_integers all = uw_all_integers(bits);
  if (wraps && (low < all.umin || high > all.umax))
    return all;
  all.umin = most(all.umin, low);
  all.umax = least(all.umax, high);
  return settled(all);
}

uw_integers uw_one_integer(unsigned bits, int64_t number) {
  uw_int128 value = number & (power(bits) - 1);
  return uw_unsigned_between(bits, value, value, true);
}

bool uw_same_integers(uw_integers a, uw_integers b) {
  return a.smin == b.smin && a.smax == b.smax && a.umin == b.umin && a.umax == b.umax;
}

uw_integers uw_either_integer(uw_integers a, uw_integers b) {
  return (uw_integers){a.bits, least(a.smin, b.smin), most(a.smax, b.smax), least(a.umin, b.umin),
                       most(a.umax, b.umax)};
}

uw_integers uw_both_integers(uw_integers a, uw_integers b) {
  uw_integers both = {a.bits, most(a.smin, b.smin), least(a.smax, b.smax), most(a.umin, b.umin), least(a.umax, b.umax)};
  return both.smin <= both.smax && both.umin <= both.umax ? settled(both) : a;
}

/* The least and the most of the four. */
static uw_integers around(unsigned bits, const uw_int128 corners[4], bool is_signed, bool wraps) {
  uw_int128 low = corners[0], high = corners[0];
  for (int i = 1; i < 4; i++) {
    low = least(low, corners[i]);
    high = most(high, corners[i]);
  }
  return is_signed ? uw_signed_between(bits, low, high, wraps) : uw_unsigned_between(bits, low, high, wraps);
}

static uw_integers product(uw_integers a, uw_integers b, bool nsw, bool nuw) {
  const uw_int128 most_unsigned = (uw_int128)1 << 62; /* products of what is larger might not fit */
  uw_int128 corners[4] = {a.smin * b.smin, a.smin * b.smax, a.smax * b.smin, a.smax * b.smax};
  uw_integers with_sign = around(a.bits, corners, true, !nsw);
  if (a.umax > most_unsigned || b.umax > most_unsigned)
    return with_sign;
  return uw_both_integers(with_sign, uw_unsigned_between(a.bits, a.umin * b.umin, a.umax * b.umax, !nuw));
}

static uw_integers shifted_left(uw_integers a, uw_integers by, bool nsw, bool nuw) {
  if (by.umin != by.umax || by.umax > 62 || by.umax >= a.bits)
    return uw_all_integers(a.bits);
  uw_integers factor = {a.bits, power((unsigned)by.umax), power((unsigned)by.umax), power((unsigned)by.umax),
                        power((unsigned)by.umax)};
  return product(a, factor, nsw, nuw);
}

static uw_integers shifted_right(uw_integers a, uw_integers by, bool is_signed) {
  int from = (int)least(by.umin, a.bits - 1), to = (int)least(by.umax, a.bits - 1); /* farther is poison */
  if (!is_signed)
    return uw_unsigned_between(a.bits, a.umin >> to, a.umax >> from, true);
  uw_int128 corners[4] = {a.smin >> from, a.smin >> to, a.smax >> from, a.smax >> to};
  return around(a.bits, corners, true, true);
}

static uw_integers quotient(uw_integers a, uw_integers b, bool is_signed) { /* by zero is undefined */
  if (!is_signed)
    return b.umax == 0 ? uw_all_integers(a.bits)
                       : uw_unsigned_between(a.bits, a.umin / b.umax, a.umax / most(b.umin, 1), true);
  if (b.smin <= 0)
    return uw_all_integers(a.bits);
  uw_int128 corners[4] = {a.smin / b.smin, a.smin / b.smax, a.smax / b.smin, a.smax / b.smax};
  return around(a.bits, corners, true, true);
}

static uw_integers rest(uw_integers a, uw_integers b, bool is_signed) {
  if (!is_signed)
    return b.umax == 0 ? uw_all_integers(a.bits) : uw_unsigned_between(a.bits, 0, least(a.umax, b.umax - 1), true);
  uw_int128 below = most(b.smax, -b.smin) - 1; /* has the sign of a */
  if (below < 0)
    return uw_all_integers(a.bits);
  return uw_signed_between(a.bits, a.smin < 0 ? -least(below, -a.smin) : 0, a.smax > 0 ? least(below, a.smax) : 0,
                           true);
}

/* All ones below the first bit of the value. */
static uw_int128 filled(uw_int128 number) {
  uw_int128 ones = 0;
  while (ones < number)
    ones = ones * 2 + 1;
  return ones;
}

/* One of the two. */
static uw_integers extreme(uw_kind_t kind, uw_integers a, uw_integers b) {
  uw_integers either = uw_either_integer(a, b);
  switch (kind) {
  case UW_OP_ARITH_MINSI: either.smax = least(a.smax, b.smax); break;
  case UW_OP_ARITH_MAXSI: either.smin = most(a.smin, b.smin); break;
  case UW_OP_ARITH_MINUI: either.umax = least(a.umax, b.umax); break;
  default: either.umin = most(a.umin, b.umin);
  }
  return settled(either);
}

uw_integers uw_integers_of(uw_kind_t kind, uw_integers a, uw_integers b, bool nsw, bool nuw) {
  unsigned bits = a.bits;
  switch (kind) {
  case UW_OP_ARITH_ADDI:
    return uw_both_integers(uw_signed_between(bits, a.smin + b.smin, a.smax + b.smax, !nsw),
                            uw_unsigned_between(bits, a.umin + b.umin, a.umax + b.umax, !nuw));
  case UW_OP_ARITH_SUBI:
    return uw_both_integers(uw_signed_between(bits, a.smin - b.smax, a.smax - b.smin, !nsw),
                            uw_unsigned_between(bits, a.umin - b.umax, a.umax - b.umin, !nuw));
  case UW_OP_ARITH_MULI: return product(a, b, nsw, nuw);
  case UW_OP_ARITH_SHLI: return shifted_left(a, b, nsw, nuw);
  case UW_OP_ARITH_SHRSI: return shifted_right(a, b, true);
  case UW_OP_ARITH_SHRUI: return shifted_right(a, b, false);
  case UW_OP_ARITH_DIVSI: return quotient(a, b, true);
  case UW_OP_ARITH_DIVUI: return quotient(a, b, false);
  case UW_OP_ARITH_REMSI: return rest(a, b, true);
  case UW_OP_ARITH_REMUI: return rest(a, b, false);
  case UW_OP_ARITH_ANDI: return uw_unsigned_between(bits, 0, least(a.umax, b.umax), true);
  case UW_OP_ARITH_ORI: return uw_unsigned_between(bits, most(a.umin, b.umin), filled(most(a.umax, b.umax)), true);
  case UW_OP_ARITH_XORI: return uw_unsigned_between(bits, 0, filled(most(a.umax, b.umax)), true);
  case UW_OP_ARITH_MINSI:
  case UW_OP_ARITH_MAXSI:
  case UW_OP_ARITH_MINUI:
  case UW_OP_ARITH_MAXUI: return extreme(kind, a, b);
  default: return uw_all_integers(bits);
  }
}

uw_integers uw_resized(uw_integers a, unsigned bits, bool is_signed) {
  uw_integers with_sign = uw_signed_between(bits, a.smin, a.smax, true),
              without = uw_unsigned_between(bits, a.umin, a.umax, true);
  if (bits <= a.bits)
    return uw_both_integers(with_sign, without);
  return is_signed ? with_sign : without;
}

/* --- floating point ----------------------------------------------------------------------------------------------- */

uw_floats uw_all_floats(void) { return (uw_floats){-INFINITY, INFINITY, true}; }

bool uw_is_finite(uw_floats a) { return !a.nan && isfinite(a.low) && isfinite(a.high); }

uw_floats uw_floats_between(unsigned bits, double low, double high) {
  bool is_float = bits == 32;
  if ((!is_float && bits != 64) || isnan(low) || isnan(high))
    return uw_all_floats();
  if (is_float) {
    float below = (float)low, above = (float)high; /* to the nearest: may be on the wrong side */
    low = (double)below > low ? nextafterf(below, -INFINITY) : below;
    high = (double)above < high ? nextafterf(above, INFINITY) : above;
  }
  double smallest = is_float ? (double)FLT_MIN : DBL_MIN;
  if (low > 0 && low < smallest)
    low = 0;
  if (high < 0 && high > -smallest)
    high = 0;
  return isfinite(low) && isfinite(high) ? (uw_floats){low, high, false} : uw_all_floats();
}

uw_floats uw_either_float(uw_floats a, uw_floats b) {
  return (uw_floats){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high, a.nan || b.nan};
}

/* Too small to compute what a result is off by. */
static bool is_tiny(double number) { return number != 0 && fabs(number) < 0x1p-900; }

/* A result of double arithmetic, and what it is off by. */
static void include(double result, double error, double *low, double *high) {
  bool exact = error == 0 && !is_tiny(result);
  double below = exact ? result : nextafter(result, -INFINITY), above = exact ? result : nextafter(result, INFINITY);
  *low = below < *low ? below : *low;
  *high = above > *high ? above : *high;
}

static void include_sum(double a, double b, double *low, double *high) {
  double sum = a + b, part = sum - a, left = sum - part; /* Knuth's error of a sum */
  double error = (a - left) + (b - part);
  include(sum, error, low, high);
}

static void include_product(double a, double b, double *low, double *high) {
  double result = a * b;
  include(result, result == 0 && a != 0 && b != 0 ? 1 : fma(a, b, -result), low, high);
}

static void include_quotient(double a, double b, double *low, double *high) {
  double result = a / b;
  include(result, (result == 0 && a != 0) || is_tiny(a) ? 1 : fma(result, b, -a), low, high);
}

static uw_floats arithmetic(uw_kind_t kind, unsigned bits, uw_floats a, uw_floats b) {
  double low = INFINITY, high = -INFINITY;
  if (!uw_is_finite(a) || !uw_is_finite(b) || (kind == UW_OP_ARITH_DIVF && b.low <= 0 && b.high >= 0))
    return uw_all_floats();
  for (int corner = 0; corner < 4; corner++) {
    double x = corner & 1 ? a.high : a.low, y = corner & 2 ? b.high : b.low;
    if (kind == UW_OP_ARITH_MULF)
      include_product(x, y, &low, &high);
    else if (kind == UW_OP_ARITH_DIVF)
      include_quotient(x, y, &low, &high);
    else
      include_sum(x, kind == UW_OP_ARITH_SUBF ? -y : y, &low, &high);
  }
  return uw_floats_between(bits, low, high);
}

static double lower_of(double a, double b) { return a < b ? a : b; }
static double higher_of(double a, double b) { return a > b ? a : b; }

/* A minimum or maximum; for maxnumf and minnumf a NaN gives the other operand. */
static uw_floats float_extreme(bool is_max, bool numbers, uw_floats a, uw_floats b) {
  uw_floats both = {is_max ? higher_of(a.low, b.low) : lower_of(a.low, b.low),
                    is_max ? higher_of(a.high, b.high) : lower_of(a.high, b.high),
                    numbers ? a.nan && b.nan : a.nan || b.nan};
  if (!numbers)
    return both;
  if (a.nan)
    both = (uw_floats){lower_of(both.low, b.low), higher_of(both.high, b.high), both.nan};
  if (b.nan)
    both = (uw_floats){lower_of(both.low, a.low), higher_of(both.high, a.high), both.nan};
  return both;
}

uw_floats uw_floats_of(uw_kind_t kind, unsigned bits, uw_floats a, uw_floats b) {
  switch (kind) {
  case UW_OP_ARITH_ADDF:
  case UW_OP_ARITH_SUBF:
  case UW_OP_ARITH_MULF:
  case UW_OP_ARITH_DIVF: return arithmetic(kind, bits, a, b);
  case UW_OP_ARITH_MAXNUMF: return float_extreme(true, true, a, b);
  case UW_OP_ARITH_MINNUMF: return float_extreme(false, true, a, b);
  case UW_OP_ARITH_MAXIMUMF: return float_extreme(true, false, a, b);
  case UW_OP_ARITH_MINIMUMF: return float_extreme(false, false, a, b);
  default: return uw_all_floats();
  }
}

uw_floats uw_magnitude(uw_floats a) {
  double far = higher_of(-a.low, a.high);
  return (uw_floats){a.low > 0 ? a.low : a.high < 0 ? -a.high : 0, far, a.nan};
}

uw_floats uw_square_root(unsigned bits, uw_floats a) {
  double low = INFINITY, high = -INFINITY;
  if (!uw_is_finite(a) || a.low < 0)
    return uw_all_floats();
  for (int i = 0; i < 2; i++) {
    double square = i ? a.high : a.low, root = sqrt(square);
    include(root, is_tiny(square) ? 1 : fma(root, root, -square), &low, &high);
  }
  return uw_floats_between(bits, low, high);
}

uw_floats uw_float_of_integer(unsigned bits, uw_integers a, bool is_signed) {
  uw_int128 bounds[2] = {is_signed ? a.smin : a.umin, is_signed ? a.smax : a.umax};
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < 2; i++)
    include((double)bounds[i], (double)((uw_int128)(double)bounds[i] - bounds[i]), &low, &high);
  return uw_floats_between(bits, low, high);
}

uw_integers uw_integer_of_float(unsigned bits, uw_floats a, bool is_signed) {
  const double farthest = 0x1p70;
  if (a.nan || a.low < -farthest || a.high > farthest)
    return uw_all_integers(bits);
  uw_int128 low = (uw_int128)a.low, high = (uw_int128)a.high; /* what does not fit is poison */
  return is_signed ? uw_signed_between(bits, low, high, false) : uw_unsigned_between(bits, low, high, false);
}
