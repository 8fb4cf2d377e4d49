/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arithmetic with intervals: what a result can be when each operand lies between two bounds.
 *
 * An integer of some bits has two intervals, a signed one and an unsigned one; each says what the other leaves
 * open. What is told not to wrap around (nsw, nuw) is poison where it does, and no value then.
 *
 * An interval of floating-point values is rounded outward to values of the type: it holds the exact result as well as
 * the rounded one, so that a product may be contracted with a sum. Bounds that are denormal are widened to zero:
 * denormals may be flushed. Arithmetic on what may be infinite or NaN gives anything; minima, maxima and choices do
 * not. */
#ifndef UW_INTERVALS_H
#define UW_INTERVALS_H

#include <stdbool.h>

#include "../ir/ir.h"

typedef __int128 uw_int128; /* holds all integers of 64 bits, and sums, differences and products of two */

typedef struct uw_integers {
  unsigned bits; /* 1 to 64 */
  uw_int128 smin, smax, umin, umax;
} uw_integers;

typedef struct uw_floats {
  double low, high; /* of what is no NaN; may be infinite */
  bool nan;         /* may it be NaN? */
} uw_floats;

uw_integers uw_all_integers(unsigned bits);
uw_integers uw_one_integer(unsigned bits, int64_t number);
bool uw_same_integers(uw_integers a, uw_integers b);
uw_integers uw_either_integer(uw_integers a, uw_integers b);
uw_integers uw_both_integers(uw_integers a, uw_integers b); /* what is in both; the first where nothing is */
/* Signed integers, or unsigned ones: what of them fits; wraps: may those that do not fit wrap around? */
uw_integers uw_signed_between(unsigned bits, uw_int128 low, uw_int128 high, bool wraps);
uw_integers uw_unsigned_between(unsigned bits, uw_int128 low, uw_int128 high, bool wraps);
/* The result of a binary operation of arith, which carries no flags where nsw and nuw are false. All there are where it
 * is not known. */
uw_integers uw_integers_of(uw_kind_t kind, uw_integers a, uw_integers b, bool nsw, bool nuw);
uw_integers uw_resized(uw_integers a, unsigned bits, bool is_signed);

uw_floats uw_all_floats(void);
/* Rounded outward to the type, 32 or 64 bits; all there are if a bound overflows. */
uw_floats uw_floats_between(unsigned bits, double low, double high);
uw_floats uw_either_float(uw_floats a, uw_floats b);
bool uw_is_finite(uw_floats a); /* neither infinite nor NaN */
uw_floats uw_floats_of(uw_kind_t kind, unsigned bits, uw_floats a, uw_floats b);
uw_floats uw_magnitude(uw_floats a);
uw_floats uw_square_root(unsigned bits, uw_floats a);
uw_floats uw_float_of_integer(unsigned bits, uw_integers a, bool is_signed);
uw_integers uw_integer_of_float(unsigned bits, uw_floats a, bool is_signed);

#endif
