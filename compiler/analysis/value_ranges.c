/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Bounds of values: see value_ranges.h.
 *
 * Facts are conditions that hold where a value is chosen; they are about the values of that moment, so that the search
 * forgets them where it goes on to another iteration of a loop. What a loop carries is assumed to lie between bounds,
 * first those of what it begins with; then the next iteration's are looked for under that assumption, until they are
 * within. That is induction over the iterations; of several loops and values at once, as each is shown under the
 * assumptions about the others. */
#include "value_ranges.h"
#include "../ir/parallel.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 400, MOST_ITERATIONS = 4 };

typedef struct range { /* of an integer or of a floating-point value */
  bool is_float;
  uw_integers integers;
  uw_floats floats;
} range;

typedef struct fact {
  MlirValue condition;
  bool holds;
  const struct fact *outer;
} fact;

typedef struct assumption {
  MlirValue argument;
  range is;
  const struct assumption *outer;
} assumption;

typedef struct search {
  int *steps; /* left */
  const fact *facts;
  const assumption *assumed;
  bool counts; /* uw_index_range */
} search;

/* --- types -------------------------------------------------------------------------------------------------------- */

static unsigned integer_bits(MlirType type) {
  return mlirTypeIsAIndex(type) ? 64 : mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
}

static bool is_integer(MlirType type) { return integer_bits(type) >= 1 && integer_bits(type) <= 64; }

static unsigned float_bits(MlirType type) { return mlirTypeIsAF32(type) ? 32 : mlirTypeIsAF64(type) ? 64 : 0; }

static range any_of(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (is_integer(type))
    return (range){.integers = uw_all_integers(integer_bits(type))};
  return (range){.is_float = true, .floats = uw_all_floats()};
}

static range either(range a, range b) {
  return a.is_float ? (range){.is_float = true, .floats = uw_either_float(a.floats, b.floats)}
                    : (range){.integers = uw_either_integer(a.integers, b.integers)};
}

static bool same(range a, range b) {
  return a.is_float ? a.floats.low == b.floats.low && a.floats.high == b.floats.high && a.floats.nan == b.floats.nan
                    : uw_same_integers(a.integers, b.integers);
}

/* --- facts -------------------------------------------------------------------------------------------------------- */

static range range_of(search s, MlirValue value);

static uw_integers integer_of(search s, MlirValue value) { return range_of(s, value).integers; }
static uw_floats float_of(search s, MlirValue value) { return range_of(s, value).floats; }

/* Does the comparison tell how `left` and `right` are ordered? The predicate is then that of left to right. */
static bool orders(MlirOperation compare, MlirValue left, MlirValue right, bool holds, uw_predicate *predicate) {
  bool straight = uw_same(uw_operand(compare, 0), left) && (!right.ptr || uw_same(uw_operand(compare, 1), right));
  bool crossed = uw_same(uw_operand(compare, 1), left) && (!right.ptr || uw_same(uw_operand(compare, 0), right));
  if (!straight && !crossed)
    return false;
  uw_predicate found = (uw_predicate)uw_get_int_attr(compare, "predicate", UW_EQ);
  found = straight ? found : uw_swapped(found);
  *predicate = holds ? found : uw_opposite(found);
  return true;
}

/* The value, if it is so to a number between these bounds. */
static uw_integers as_ordered(uw_integers value, uw_predicate predicate, uw_integers other) {
  uw_integers all = uw_all_integers(value.bits);
  switch (predicate) {
  case UW_EQ: return uw_both_integers(value, other);
  case UW_SLT: return uw_both_integers(value, uw_signed_between(value.bits, all.smin, other.smax - 1, false));
  case UW_SLE: return uw_both_integers(value, uw_signed_between(value.bits, all.smin, other.smax, false));
  case UW_SGT: return uw_both_integers(value, uw_signed_between(value.bits, other.smin + 1, all.smax, false));
  case UW_SGE: return uw_both_integers(value, uw_signed_between(value.bits, other.smin, all.smax, false));
  case UW_ULT: return uw_both_integers(value, uw_unsigned_between(value.bits, 0, other.umax - 1, false));
  case UW_ULE: return uw_both_integers(value, uw_unsigned_between(value.bits, 0, other.umax, false));
  case UW_UGT: return uw_both_integers(value, uw_unsigned_between(value.bits, other.umin + 1, all.umax, false));
  case UW_UGE: return uw_both_integers(value, uw_unsigned_between(value.bits, other.umin, all.umax, false));
  default: break;
  }
  uw_integers above = uw_unsigned_between(value.bits, value.umin + 1, value.umax, false);
  bool is_least =
      other.umin == other.umax && other.umin == value.umin && value.umin < value.umax; /* and it is not that */
  return is_least ? uw_both_integers(value, above) : value;
}

/* Left - right under one comparison of the two. */
static uw_integers difference(uw_integers left, uw_integers right, uw_predicate predicate, uw_integers known) {
  bool with_sign = predicate == UW_SGT || predicate == UW_SGE, without = predicate == UW_UGT || predicate == UW_UGE;
  uw_int128 least = predicate == UW_SGT || predicate == UW_UGT;
  if (with_sign && left.smax - right.smin >= least)
    return uw_both_integers(known, uw_signed_between(known.bits, least, left.smax - right.smin, true));
  if (without && left.umax - right.umin >= least)
    return uw_both_integers(known, uw_unsigned_between(known.bits, least, left.umax - right.umin, true));
  return known;
}

/* The outcomes in which a comparison of floating-point values is true; those that ask for order are these bits as they
 * are. */
enum { EQUAL = 1, GREATER = 2, LESS = 4, UNORDERED = 8, ANY = 15 };

static unsigned outcomes(MlirOperation compare) {
  enum { ORD = 7, UNO = 14 }; /* predicates; between the two those that ask for order or that there is none */
  unsigned predicate = (unsigned)uw_get_int_attr(compare, "predicate", 0);
  return predicate <= ORD   ? predicate
         : predicate < UNO  ? (predicate - ORD) | UNORDERED
         : predicate == UNO ? UNORDERED
                            : ANY;
}

static unsigned swapped_outcomes(unsigned set) {
  return (set & (EQUAL | UNORDERED)) | (set & LESS ? GREATER : 0) | (set & GREATER ? LESS : 0);
}

static uw_floats float_as_ordered(uw_floats value, unsigned set, uw_floats other) {
  value.nan = value.nan && (set & UNORDERED);
  if ((set & UNORDERED) && other.nan)
    return value;
  double low = !(set & LESS) && other.low > value.low ? other.low : value.low;
  double high = !(set & GREATER) && other.high < value.high ? other.high : value.high;
  return low <= high ? (uw_floats){low, high, value.nan} : value;
}

static range refined(search s, range is, MlirValue value, MlirValue condition, bool holds) {
  MlirOperation op = uw_def(condition);
  search plain = {s.steps, NULL, s.assumed, s.counts};
  bool splits =
      uw_kind(op) == (holds ? UW_OP_ARITH_ANDI : UW_OP_ARITH_ORI) && integer_bits(mlirValueGetType(condition)) == 1;
  if (splits && (*s.steps)-- > 0) {
    is = refined(s, is, value, uw_operand(op, 0), holds);
    return refined(s, is, value, uw_operand(op, 1), holds);
  }
  uw_predicate predicate;
  if (!is.is_float && uw_kind(op) == UW_OP_ARITH_CMPI) {
    if (orders(op, value, (MlirValue){NULL}, holds, &predicate)) {
      size_t other = uw_same(uw_operand(op, 0), value);
      is.integers = as_ordered(is.integers, predicate, integer_of(plain, uw_operand(op, other)));
    }
    MlirOperation made = uw_def(value);
    if (uw_kind(made) == UW_OP_ARITH_SUBI && orders(op, uw_operand(made, 0), uw_operand(made, 1), holds, &predicate))
      is.integers = difference(integer_of(plain, uw_operand(made, 0)), integer_of(plain, uw_operand(made, 1)),
                               predicate, is.integers);
  } else if (is.is_float && uw_kind(op) == UW_OP_ARITH_CMPF) {
    bool straight = uw_same(uw_operand(op, 0), value);
    unsigned set = holds ? outcomes(op) : ANY - outcomes(op);
    if (straight || uw_same(uw_operand(op, 1), value))
      is.floats = float_as_ordered(is.floats, straight ? set : swapped_outcomes(set),
                                   float_of(plain, uw_operand(op, straight)));
  }
  return is;
}

/* --- loops and branches ------------------------------------------------------------------------------------------- */

/* Bounds that moved in the last iteration go as far as they can. */
static range widened(range before, range after) {
  if (after.is_float) {
    after.floats.low = after.floats.low < before.floats.low ? -INFINITY : after.floats.low;
    after.floats.high = after.floats.high > before.floats.high ? INFINITY : after.floats.high;
    return after;
  }
  uw_integers all = uw_all_integers(after.integers.bits), *is = &after.integers;
  is->smin = is->smin < before.integers.smin ? all.smin : is->smin;
  is->smax = is->smax > before.integers.smax ? all.smax : is->smax;
  is->umin = is->umin < before.integers.umin ? all.umin : is->umin;
  is->umax = is->umax > before.integers.umax ? all.umax : is->umax;
  return after;
}

/* Of what a loop begins with at `start`, and has at `next` after each iteration. */
static range carried(search s, MlirValue argument, MlirValue start, MlirValue next) {
  for (const assumption *a = s.assumed; a; a = a->outer)
    if (uw_same(a->argument, argument))
      return a->is;
  s.facts = NULL;
  range is = range_of(s, start);
  for (int iteration = 0; iteration < MOST_ITERATIONS && *s.steps > 0; iteration++) {
    assumption assumed = {argument, is, s.assumed};
    range more = either(is, range_of((search){s.steps, NULL, &assumed, s.counts}, next));
    if (same(more, is))
      return is;
    is = iteration + 2 == MOST_ITERATIONS ? widened(is, more) : more;
  }
  return any_of(argument);
}

/* The same where no counter wraps around, whatever the step is. The threads of a loop are not below 0, and along a
 * dimension at most UW_MOST_THREADS. */
static range counted_index(search s, MlirOperation loop, MlirValue counter, size_t dim) {
  uw_integers low = integer_of(s, uw_lower_of(loop, dim)), high = integer_of(s, uw_upper_of(loop, dim));
  bool is_unsigned = !mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp"));
  if (uw_kind(loop) == UW_OP_SCF_FORALL && !uw_is_over(loop, UW_OVER_BLOCKS)) {
    low.smin = low.smin > 0 ? low.smin : 0;
    high.smax = high.smax < UW_MOST_THREADS ? high.smax : UW_MOST_THREADS;
  }
  uw_int128 first = is_unsigned ? low.umin : low.smin, last = (is_unsigned ? high.umax : high.smax) - 1;
  if (first > last) /* no iteration */
    return any_of(counter);
  return (range){.integers = is_unsigned ? uw_unsigned_between(low.bits, first, last, false)
                                         : uw_signed_between(low.bits, first, last, false)};
}

/* The counter of a loop, or one of several: it does not go below the first one unless it wraps around, nor up to the
 * bound. */
static range counted(search s, MlirOperation loop, MlirValue counter, size_t dim) {
  s.facts = NULL;
  if (s.counts)
    return counted_index(s, loop, counter, dim);
  uw_integers low = integer_of(s, uw_lower_of(loop, dim)), high = integer_of(s, uw_upper_of(loop, dim));
  uw_integers step = integer_of(s, uw_step_of(loop, dim)), all = uw_all_integers(low.bits);
  if (!mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp"))) {
    if (step.umin < 1 || high.umax - 1 + step.umax > all.umax || low.umin > high.umax - 1)
      return any_of(counter);
    return (range){.integers = uw_unsigned_between(low.bits, low.umin, high.umax - 1, false)};
  }
  if (step.smin < 1 || high.smax - 1 + step.smax > all.smax || low.smin > high.smax - 1)
    return any_of(counter);
  return (range){.integers = uw_signed_between(low.bits, low.smin, high.smax - 1, false)};
}

static range for_carries(search s, MlirOperation loop, size_t number) {
  MlirBlock body = uw_block(loop, 0);
  return carried(s, mlirBlockGetArgument(body, (intptr_t)number + 1), uw_operand(loop, number + 3),
                 uw_operand(uw_last(body), number));
}

/* Operands of scf.condition: what goes into the loop's body where the condition holds, and is the result where it does
 * not. */
static range while_hands_on(search s, MlirOperation loop, size_t number, bool goes_on) {
  MlirOperation condition = uw_last(uw_block(loop, 0));
  fact is_asked = {uw_operand(condition, 0), goes_on, NULL};
  s.facts = &is_asked;
  return range_of(s, uw_operand(condition, number + 1));
}

static range range_of_argument(search s, MlirValue value) {
  MlirBlock block = uw_value_block(value);
  MlirOperation loop = mlirBlockGetParentOperation(block);
  size_t number = (size_t)mlirBlockArgumentGetArgNumber(value);
  switch (uw_kind(loop)) {
  case UW_OP_SCF_FOR: return number == 0 ? counted(s, loop, value, 0) : for_carries(s, loop, number - 1);
  case UW_OP_SCF_FORALL: return counted(s, loop, value, number);
  case UW_OP_SCF_WHILE:
    if (mlirBlockEqual(block, uw_block(loop, 0)))
      return carried(s, value, uw_operand(loop, number), uw_operand(uw_last(uw_block(loop, 1)), number));
    return while_hands_on(s, loop, number, true);
  default: return any_of(value);
  }
}

static range chosen(search s, MlirValue condition, MlirValue yes, MlirValue no) {
  fact holds = {condition, true, s.facts}, fails = {condition, false, s.facts};
  range first = range_of((search){s.steps, &holds, s.assumed, s.counts}, yes);
  return either(first, range_of((search){s.steps, &fails, s.assumed, s.counts}, no));
}

/* --- operations --------------------------------------------------------------------------------------------------- */

/* What may be done to the operation but contracting it? */
static bool is_as_written(MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute arith = uw_get_attr(op, "fastmath"), llvm = uw_get_attr(op, "fastmathFlags");
  bool first = mlirAttributeIsNull(arith) || mlirAttributeEqual(arith, uw_attr(context, "#arith.fastmath<none>")) ||
               mlirAttributeEqual(arith, uw_attr(context, "#arith.fastmath<contract>"));
  bool second = mlirAttributeIsNull(llvm) || mlirAttributeEqual(llvm, uw_attr(context, "#llvm.fastmath<none>")) ||
                mlirAttributeEqual(llvm, uw_attr(context, "#llvm.fastmath<contract>"));
  return first && second;
}

typedef struct rounding {
  const char *name;
  double (*to)(double);
} rounding;

/* To integers: larger ones never become smaller. */
static const rounding roundings[] = {
    {"math.floor", floor},    {"math.ceil", ceil},           {"math.trunc", trunc},
    {"math.round", round},    {"math.roundeven", rint},      {"llvm.intr.floor", floor},
    {"llvm.intr.ceil", ceil}, {"llvm.intr.trunc", trunc},    {"llvm.intr.round", round},
    {"llvm.intr.rint", rint}, {"llvm.intr.nearbyint", rint}, {"llvm.intr.roundeven", rint},
};

static bool is_named(MlirOperation op, const char *name, const char *other) {
  return uw_string_is(uw_name(op), name) || uw_string_is(uw_name(op), other);
}

static uw_floats float_function(search s, MlirOperation op, unsigned bits) {
  if (is_named(op, "math.fma", "llvm.intr.fma") || is_named(op, "llvm.intr.fmuladd", "llvm.intr.fmuladd")) {
    uw_floats product =
        uw_floats_of(UW_OP_ARITH_MULF, bits, float_of(s, uw_operand(op, 0)), float_of(s, uw_operand(op, 1)));
    return uw_floats_of(UW_OP_ARITH_ADDF, bits, product, float_of(s, uw_operand(op, 2)));
  }
  if (is_named(op, "math.absf", "llvm.intr.fabs"))
    return uw_magnitude(float_of(s, uw_operand(op, 0)));
  if (is_named(op, "math.sqrt", "llvm.intr.sqrt"))
    return uw_square_root(bits, float_of(s, uw_operand(op, 0)));
  if (is_named(op, "math.copysign", "llvm.intr.copysign")) {
    uw_floats size = uw_magnitude(float_of(s, uw_operand(op, 0)));
    return (uw_floats){-size.high, size.high, size.nan};
  }
  for (size_t i = 0; i < sizeof roundings / sizeof *roundings; i++)
    if (uw_string_is(uw_name(op), roundings[i].name)) {
      uw_floats x = float_of(s, uw_operand(op, 0));
      return uw_is_finite(x) ? uw_floats_between(bits, roundings[i].to(x.low), roundings[i].to(x.high))
                             : uw_all_floats();
    }
  return uw_all_floats();
}

static uw_floats float_constant(MlirOperation op, unsigned bits) {
  MlirAttribute value = uw_get_attr(op, "value");
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAFloat(value))
    return uw_all_floats();
  double number = mlirFloatAttrGetValueDouble(value);
  if (isinf(number))
    return (uw_floats){number, number, false};
  return uw_floats_between(bits, number, number);
}

static uw_floats compute_float(search s, MlirOperation op) {
  unsigned bits = float_bits(mlirValueGetType(uw_result(op, 0)));
  if (!bits || !is_as_written(op))
    return uw_all_floats();
  switch (uw_kind(op)) {
  case UW_OP_ARITH_CONSTANT:
  case UW_OP_LLVM_CONSTANT: return float_constant(op, bits);
  case UW_OP_ARITH_SITOFP:
  case UW_OP_ARITH_UITOFP:
    if (!is_integer(mlirValueGetType(uw_operand(op, 0))))
      return uw_all_floats();
    return uw_float_of_integer(bits, integer_of(s, uw_operand(op, 0)), uw_kind(op) == UW_OP_ARITH_SITOFP);
  case UW_OP_ARITH_NEGF: {
    uw_floats x = float_of(s, uw_operand(op, 0));
    return (uw_floats){-x.high, -x.low, x.nan};
  }
  case UW_OP_ARITH_EXTF: return float_of(s, uw_operand(op, 0)); /* of half precision, anything */
  case UW_OP_ARITH_TRUNCF: {
    uw_floats x = float_of(s, uw_operand(op, 0));
    return uw_is_finite(x) ? uw_floats_between(bits, x.low, x.high) : uw_all_floats();
  }
  case UW_OP_ARITH_ADDF:
  case UW_OP_ARITH_SUBF:
  case UW_OP_ARITH_MULF:
  case UW_OP_ARITH_DIVF:
  case UW_OP_ARITH_MAXNUMF:
  case UW_OP_ARITH_MINNUMF:
  case UW_OP_ARITH_MAXIMUMF:
  case UW_OP_ARITH_MINIMUMF:
    return uw_floats_of(uw_kind(op), bits, float_of(s, uw_operand(op, 0)), float_of(s, uw_operand(op, 1)));
  default: return float_function(s, op, bits);
  }
}

/* A bound that is no more than the constant less `first`: that constant, which is put into *whole. */
static bool is_remainder(MlirValue bound, MlirValue first, int64_t *whole, int depth) {
  enum { DEEPEST = 8 };
  MlirOperation op = uw_def(bound);
  if (uw_kind(op) == UW_OP_ARITH_SUBI)
    return uw_same(uw_operand(op, 1), first) && uw_const_value(uw_operand(op, 0), whole);
  return uw_kind(op) == UW_OP_ARITH_MINSI && depth < DEEPEST &&
         (is_remainder(uw_operand(op, 0), first, whole, depth + 1) ||
          is_remainder(uw_operand(op, 1), first, whole, depth + 1));
}

/* Of first + index: a thread's index that runs to what is left of a whole after first, which is not below 0. */
static uw_integers within_whole(search s, uw_integers sum, MlirValue first, MlirValue index) {
  MlirOperation loop =
      mlirValueIsABlockArgument(index) ? mlirBlockGetParentOperation(uw_value_block(index)) : (MlirOperation){NULL};
  int64_t whole;
  if (!s.counts || uw_kind(loop) != UW_OP_SCF_FORALL)
    return sum;
  size_t number = (size_t)mlirBlockArgumentGetArgNumber(index);
  if (!is_remainder(uw_upper_of(loop, number), first, &whole, 0) || whole < 1 || integer_of(s, first).smin < 0)
    return sum;
  return uw_both_integers(sum, uw_signed_between(sum.bits, integer_of(s, index).smin, whole - 1, false));
}

static uw_integers arithmetic(search s, MlirOperation op) {
  MlirValue left = uw_operand(op, 0), right = uw_operand(op, 1);
  uw_integers is = uw_integers_of(uw_kind(op), integer_of(s, left), integer_of(s, right), uw_no_wrap(op, true),
                                  uw_no_wrap(op, false));
  if (uw_kind(op) != UW_OP_ARITH_ADDI)
    return is;
  return within_whole(s, within_whole(s, is, left, right), right, left);
}

static uw_integers compute_integer(search s, MlirOperation op) {
  MlirValue result = uw_result(op, 0);
  unsigned bits = integer_bits(mlirValueGetType(result));
  int64_t number;
  if (uw_const_value(result, &number))
    return uw_one_integer(bits, number);
  switch (uw_kind(op)) {
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_INDEX_CAST: return uw_resized(integer_of(s, uw_operand(op, 0)), bits, true);
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_TRUNCI:
  case UW_OP_ARITH_INDEX_CASTUI: return uw_resized(integer_of(s, uw_operand(op, 0)), bits, false);
  case UW_OP_ARITH_FPTOSI:
  case UW_OP_ARITH_FPTOUI:
    return uw_integer_of_float(bits, float_of(s, uw_operand(op, 0)), uw_kind(op) == UW_OP_ARITH_FPTOSI);
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
  case UW_OP_ARITH_MULI:
  case UW_OP_ARITH_SHLI:
  case UW_OP_ARITH_SHRSI:
  case UW_OP_ARITH_SHRUI:
  case UW_OP_ARITH_DIVSI:
  case UW_OP_ARITH_DIVUI:
  case UW_OP_ARITH_REMSI:
  case UW_OP_ARITH_REMUI:
  case UW_OP_ARITH_ANDI:
  case UW_OP_ARITH_ORI:
  case UW_OP_ARITH_XORI:
  case UW_OP_ARITH_MINSI:
  case UW_OP_ARITH_MAXSI:
  case UW_OP_ARITH_MINUI:
  case UW_OP_ARITH_MAXUI: return arithmetic(s, op);
  default: return uw_all_integers(bits);
  }
}

static range compute(search s, MlirValue value) {
  MlirOperation op = uw_def(value);
  if (uw_null(op))
    return range_of_argument(s, value);
  size_t number = (size_t)mlirOpResultGetResultNumber(value);
  switch (uw_kind(op)) {
  case UW_OP_ARITH_SELECT: /* of vectors nothing is known */
    return chosen(s, uw_operand(op, 0), uw_operand(op, 1), uw_operand(op, 2));
  case UW_OP_SCF_IF:
    return chosen(s, uw_operand(op, 0), uw_operand(uw_last(uw_block(op, 0)), number),
                  uw_operand(uw_last(uw_block(op, 1)), number));
  case UW_OP_SCF_FOR: return for_carries(s, op, number);
  case UW_OP_SCF_WHILE: return while_hands_on(s, op, number, false);
  default: break;
  }
  if (uw_result_count(op) != 1)
    return any_of(value);
  return is_integer(mlirValueGetType(value)) ? (range){.integers = compute_integer(s, op)}
                                             : (range){.is_float = true, .floats = compute_float(s, op)};
}

static range range_of(search s, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if ((*s.steps)-- <= 0 || (!is_integer(type) && !float_bits(type)))
    return any_of(value);
  range is = compute(s, value);
  for (const fact *f = s.facts; f; f = f->outer)
    is = refined(s, is, value, f->condition, f->holds);
  return is;
}

uw_integers uw_integer_range(MlirValue value) {
  int steps = MOST_STEPS;
  return integer_of((search){&steps, NULL, NULL, false}, value);
}

uw_integers uw_index_range(MlirValue value) {
  int steps = MOST_STEPS;
  return integer_of((search){&steps, NULL, NULL, true}, value);
}

int uw_decided(MlirOperation compare) {
  MlirValue left = uw_operand(compare, 0), right = uw_operand(compare, 1);
  uw_floats a = uw_float_range(left), b = uw_float_range(right);
  bool same_value = uw_same(left, right);
  unsigned may = a.nan || b.nan ? UNORDERED : 0;
  may |= !same_value && a.low < b.high ? LESS : 0;
  may |= !same_value && a.high > b.low ? GREATER : 0;
  may |= a.low <= b.high && b.low <= a.high ? EQUAL : 0;
  unsigned yes = outcomes(compare);
  return (may & ~yes) == 0 ? 1 : (may & yes) == 0 ? 0 : -1;
}

uw_floats uw_float_range(MlirValue value) {
  int steps = MOST_STEPS;
  return float_of((search){&steps, NULL, NULL, false}, value);
}
