/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Comparisons as bounds of a thread loop: see bounds.h. */
#include "bounds.h"

#include "../barriers/thread_loop.h"
#include "wide.h"

typedef enum relation { LT, LE, GT, GE, EQ } relation;

static bool is_outside(uw_bounds *bounds, MlirValue value) { return uw_computable_outside(bounds->arena, value, bounds->loop, NULL); }

/* The value before the loop, as an index. */
static MlirValue outside(uw_bounds *bounds, MlirValue value, bool is_signed) {
  uw_builder b = uw_at(bounds->loop);
  int64_t number;
  MlirType type = mlirValueGetType(value);
  bool is_index = mlirTypeIsAIndex(type);
  if (uw_const_value(value, &number))
    return uw_const_index(&b, is_index ? number : uw_near_number(number, mlirIntegerTypeGetWidth(type), is_signed));
  value = uw_compute_outside(&b, value, bounds->loop, uw_map_create(bounds->arena));
  return is_index ? value : uw_near_index(&b, value, is_signed);
}

static relation flipped(relation r) { return r == LT ? GT : r == LE ? GE : r == GT ? LT : r == GE ? LE : EQ; }

enum { MOST_EACH = 1 << 16, MOST_FACTOR = 1 << 10 };

/* Does the end of a loop come from the value, as it is or through what later passes made of it? */
static bool comes_from(MlirValue end, MlirValue value, int depth) {
  MlirOperation op = uw_def(end);
  if (uw_same(end, value))
    return true;
  if (uw_null(op) || depth == 0)
    return false;
  bool passes_on = uw_kind(op) == UW_OP_ARITH_INDEX_CAST || uw_kind(op) == UW_OP_ARITH_INDEX_CASTUI || uw_kind(op) == UW_OP_ARITH_MULI ||
                   uw_string_is(uw_name(op), "arith.minsi") || uw_string_is(uw_name(op), "arith.minui") ||
                   uw_string_is(uw_name(op), "arith.maxsi");
  for (size_t i = 0; passes_on && i < uw_operand_count(op); i++)
    if (comes_from(uw_operand(op, i), value, depth - 1))
      return true;
  return false;
}

/* The size of the block or of the grid, in one dimension: what one of the loops around runs to. */
static bool is_extent(MlirOperation loop, MlirValue value) {
  enum { DEPTH = 5 };
  for (MlirOperation op = loop; !uw_null(op); op = uw_parent(op)) {
    size_t dims = uw_kind(op) == UW_OP_SCF_PARALLEL ? (size_t)mlirBlockGetNumArguments(uw_block(op, 0)) : 0;
    for (size_t d = 0; d < dims; d++)
      if (comes_from(uw_operand(op, dims + d), value, DEPTH))
        return true;
  }
  return false;
}

static bool is_offset(MlirOperation loop, MlirValue value, int depth) {
  MlirOperation op = uw_def(value);
  int64_t number;
  if (uw_const_value(value, &number))
    return number >= 0 && number <= MOST_EACH;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_INDEX_CASTUI:
    if (mlirTypeIsAIndex(mlirValueGetType(uw_operand(op, 0))))
      return true;
    break;
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_EXTUI:
    if (is_offset(loop, uw_operand(op, 0), depth))
      return true;
    break;
  case UW_OP_ARITH_DIVUI:
  case UW_OP_ARITH_SHRUI:
    if (depth > 0 && is_offset(loop, uw_operand(op, 0), depth - 1))
      return true;
    break;
  case UW_OP_ARITH_SHLI:
    return depth > 0 && is_offset(loop, uw_operand(op, 0), depth - 1) && uw_const_value(uw_operand(op, 1), &number) && number >= 0 &&
           number <= 16;
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_MULI:
    if (depth > 0 && is_offset(loop, uw_operand(op, 0), depth - 1) && is_offset(loop, uw_operand(op, 1), depth - 1))
      return true;
    break;
  default: break;
  }
  return is_extent(loop, value);
}

bool uw_is_block_offset(MlirOperation loop, MlirValue value) {
  enum { DEPTH = 4 };
  int64_t number;
  return !uw_const_value(value, &number) && is_offset(loop, value, DEPTH);
}

/* Is the product of an index and this factor what integers make of it? Indices in a grid times what an element has of parts do not wrap
 * around; those times what mixes their bits do. */
static bool is_plain_product(MlirOperation op, int64_t factor, bool is_signed) {
  return factor <= MOST_FACTOR || mlirTypeIsAIndex(mlirValueGetType(uw_result(op, 0))) || uw_no_wrap(op, is_signed);
}

/* What is known of a comparison's expression. */
typedef struct side {
  bool is_signed;       /* the comparison has a sign */
  bool bare;            /* it is the index itself, of the thread in its block or in its grid, which is never below zero */
  bool without_sign;    /* in the comparison, or in an extension, the sum counts as a number without sign */
  MlirValue is_small;   /* what it is compared with is no more than 2^31 */
} side;

/* An amount that is added to an index where the sum of 32 bits counts without sign. Both (unsigned)(x - 3) < n and x + 3000000000u <
 * 4000000000u are meant. The first wraps around, and so the amount has its sign: where it is near 0, or where only sums that wrap around
 * are less than a small number. (n is taken to be no more than 2^32 - 2^20.) */
static MlirValue amount_without_sign(uw_bounds *bounds, MlirValue amount, MlirValue right, side *s) {
  int64_t number;
  const int64_t near = -((int64_t)1 << 20);
  uw_builder b = uw_at(bounds->loop);
  if (uw_const_value(amount, &number) && number >= near)
    return uw_const_index(&b, number);
  if (uw_is_block_offset(bounds->loop, amount))
    return outside(bounds, amount, false);
  if (!s->is_small.ptr)
    s->is_small = uw_compare(&b, UW_ULE, right, uw_const_index(&b, (int64_t)1 << 31));
  MlirValue with_sign = outside(bounds, amount, true), without = outside(bounds, amount, false);
  b = uw_at(bounds->loop);
  MlirValue is_near = uw_compare(&b, UW_SGE, with_sign, uw_const_index(&b, near));
  return uw_select(&b, uw_binary(&b, "arith.ori", s->is_small, is_near), with_sign, without);
}

/* The smaller or the larger of two bounds: a constant where both are, as later passes ask for. */
static MlirValue tighter(uw_builder *b, MlirValue old, MlirValue bound, bool smaller) {
  int64_t known, other;
  if (uw_const_value(old, &known) && uw_const_value(bound, &other))
    return (known < other) == smaller ? old : bound;
  return uw_binary(b, smaller ? "arith.minsi" : "arith.maxsi", old, bound);
}

/* Makes `expression relation right` a bound of a dimension. */
static bool solve(uw_bounds *bounds, MlirValue expression, relation r, MlirValue right, bool apply, side *s) {
  MlirBlock body = uw_block(bounds->loop, 0);
  bool below_extension = false, added = false; /* what is zero-extended is taken to be what it is without sign */
  s->bare = true;
  s->without_sign = !s->is_signed;
  for (;;) {
    for (size_t d = 0; d < bounds->dims; d++) {
      if (!uw_same(expression, mlirBlockGetArgument(body, (intptr_t)d)))
        continue;
      if (!apply)
        return true;
      uw_builder b = uw_at(bounds->loop);
      MlirValue behind = r == LT || r == GE ? right : uw_binary(&b, "arith.addi", right, uw_const_index(&b, 1));
      if (r == LT || r == LE || r == EQ) {
        MlirValue end = r == LT ? right : behind, old = bounds->upper[d].ptr ? bounds->upper[d] : uw_operand(bounds->loop, bounds->dims + d);
        bounds->upper[d] = tighter(&b, old, end, true);
      }
      if (r == GT || r == GE || r == EQ) {
        MlirValue start = r == GT ? behind : right, old = bounds->lower[d].ptr ? bounds->lower[d] : uw_operand(bounds->loop, d);
        bounds->lower[d] = tighter(&b, old, start, false);
      }
      return true;
    }
    MlirOperation op = uw_def(expression);
    uw_builder b = uw_at(bounds->loop);
    int64_t factor = 0;
    switch (uw_kind(op)) {
    case UW_OP_ARITH_EXTUI:
    case UW_OP_ARITH_INDEX_CASTUI: /* of an index: the thread's own, which is small */
      below_extension = below_extension || !mlirTypeIsAIndex(mlirValueGetType(uw_operand(op, 0)));
      s->without_sign = s->without_sign || below_extension;
      /* fall through */
    case UW_OP_ARITH_EXTSI:
    case UW_OP_ARITH_INDEX_CAST: expression = uw_operand(op, 0); continue;
    case UW_OP_ARITH_ADDI:
    case UW_OP_ARITH_SUBI: {
      size_t own = is_outside(bounds, uw_operand(op, 0)) ? 1 : 0;
      MlirValue other = uw_operand(op, 1 - own);
      bool subtracts = uw_kind(op) == UW_OP_ARITH_SUBI;
      int64_t number;
      if (!is_outside(bounds, other) || (below_extension && (subtracts || (uw_const_value(other, &number) && number < 0))))
        return false;
      bool is_small = uw_const_value(other, &number) && number >= 0 && number <= MOST_EACH;
      bool counts_up = !subtracts && (is_small || uw_is_block_offset(bounds->loop, other));
      if (below_extension && added && !counts_up) /* which of the two sums is below zero? */
        return false;
      s->bare = s->bare && counts_up;
      added = added || !below_extension;
      if (apply) {
        MlirValue amount = s->without_sign ? amount_without_sign(bounds, other, right, s) : outside(bounds, other, true);
        if (!subtracts)
          right = uw_binary(&b, "arith.subi", right, amount);
        else if (own == 0)
          right = uw_binary(&b, "arith.addi", right, amount);
        else
          right = uw_binary(&b, "arith.subi", amount, right);
      }
      if (subtracts && own == 1)
        r = flipped(r);
      expression = uw_operand(op, own);
      continue;
    }
    case UW_OP_ARITH_MULI:
      if (!uw_const_value(uw_operand(op, 1), &factor))
        return false;
      break;
    case UW_OP_ARITH_SHLI:
      if (!uw_const_value(uw_operand(op, 1), &factor) || factor < 0 || factor > 20)
        return false;
      factor = (int64_t)1 << factor;
      break;
    default: return false;
    }
    if (factor <= 0 || r == EQ || !is_plain_product(op, factor, s->is_signed && !s->without_sign))
      return false;
    if (apply)
      right = uw_binary(&b, r == LT || r == GE ? "arith.ceildivsi" : "arith.floordivsi", right, uw_const_index(&b, factor));
    expression = uw_operand(op, 0);
  }
}

bool uw_bound_by(uw_bounds *bounds, const uw_conjunct *c, bool apply) {
  MlirOperation compare = uw_def(c->value);
  if (uw_kind(compare) != UW_OP_ARITH_CMPI)
    return false;
  static const struct { relation is, is_not; bool is_signed, known; } meaning[] = {
      [UW_EQ] = {EQ, EQ, true, true},   [UW_NE] = {EQ, EQ, true, true},   [UW_SLT] = {LT, GE, true, true},
      [UW_SLE] = {LE, GT, true, true},  [UW_SGT] = {GT, LE, true, true},  [UW_SGE] = {GE, LT, true, true},
      [UW_ULT] = {LT, GE, false, true}, [UW_ULE] = {LE, GT, false, true}, [UW_UGT] = {GT, LE, false, true},
      [UW_UGE] = {GE, LT, false, true}};
  int64_t predicate = uw_get_int_attr(compare, "predicate", UW_EQ);
  side s = {.is_signed = meaning[predicate].is_signed};
  relation r = c->negated ? meaning[predicate].is_not : meaning[predicate].is;
  size_t own = is_outside(bounds, uw_operand(compare, 0)) ? 1 : 0;
  MlirValue expression = uw_operand(compare, own), other = uw_operand(compare, 1 - own);
  if (!is_outside(bounds, other))
    return false;
  if (own == 1)
    r = flipped(r);
  if ((predicate == UW_NE) != c->negated && (predicate == UW_NE || predicate == UW_EQ)) { /* not equal to 0 is above it */
    int64_t number;
    if (!uw_const_value(other, &number) || number != 0)
      return false;
    r = GT;
  }
  MlirValue right = {NULL};
  if (!solve(bounds, expression, r, right, false, &s))
    return false;
  /* Below zero an unsigned number, and one that is not 0, would be a large one. */
  bool may_be_below = !s.bare && (s.without_sign || predicate == UW_NE || predicate == UW_EQ) && r != EQ;
  if (may_be_below && (r == GT || r == GE))
    return false;
  if (apply) {
    uw_builder b = uw_at(bounds->loop);
    solve(bounds, expression, r, outside(bounds, other, s.is_signed), true, &s);
    if (may_be_below)
      solve(bounds, expression, GE, uw_const_index(&b, 0), true, &s);
  }
  return true;
}

enum { FALLS = -1, RISES = 1 };

/* How a value changes along each dimension: RISES, FALLS, 0. False if that is not known. */
static bool find_slopes(uw_bounds *bounds, MlirValue value, int direction, int slopes[UW_DIMS]) {
  MlirOperation op = uw_def(value);
  int64_t factor;
  for (size_t d = 0; d < bounds->dims; d++)
    if (uw_same(value, mlirBlockGetArgument(uw_block(bounds->loop, 0), (intptr_t)d))) {
      bool agrees = slopes[d] == 0 || slopes[d] == direction;
      slopes[d] = direction;
      return agrees;
    }
  if (is_outside(bounds, value))
    return true;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_INDEX_CAST: return find_slopes(bounds, uw_operand(op, 0), direction, slopes);
  case UW_OP_ARITH_INDEX_CASTUI: /* of an index: the thread's own, which is small */
    return mlirTypeIsAIndex(mlirValueGetType(uw_operand(op, 0))) && find_slopes(bounds, uw_operand(op, 0), direction, slopes);
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
    return find_slopes(bounds, uw_operand(op, 0), direction, slopes) &&
           find_slopes(bounds, uw_operand(op, 1), uw_kind(op) == UW_OP_ARITH_ADDI ? direction : -direction, slopes);
  case UW_OP_ARITH_MULI:
    return uw_const_value(uw_operand(op, 1), &factor) && factor > 0 && is_plain_product(op, factor, true) &&
           find_slopes(bounds, uw_operand(op, 0), direction, slopes);
  case UW_OP_ARITH_SHLI:
    return uw_const_value(uw_operand(op, 1), &factor) && factor >= 0 && factor <= 20 &&
           is_plain_product(op, (int64_t)1 << factor, true) && find_slopes(bounds, uw_operand(op, 0), direction, slopes);
  default: return false;
  }
}

/* The least or the largest value of all threads. */
static MlirValue extreme(uw_bounds *bounds, MlirValue value, const int slopes[UW_DIMS]) {
  uw_builder b = uw_at(bounds->loop);
  uw_map *thread = uw_map_create(bounds->arena);
  for (size_t d = 0; d < bounds->dims; d++) {
    MlirValue last = uw_binary(&b, "arith.subi", uw_operand(bounds->loop, bounds->dims + d), uw_const_index(&b, 1));
    uw_map_set(thread, mlirBlockGetArgument(uw_block(bounds->loop, 0), (intptr_t)d),
               slopes[d] == RISES ? last : uw_operand(bounds->loop, d));
  }
  return uw_compute_outside(&b, value, bounds->loop, thread);
}

bool uw_asked_of_one(uw_bounds *bounds, const uw_conjunct *c, MlirValue *holds) {
  MlirOperation compare = uw_def(c->value);
  if (uw_kind(compare) != UW_OP_ARITH_CMPI)
    return false;
  int64_t predicate = uw_get_int_attr(compare, "predicate", UW_EQ);
  bool less = predicate == UW_SLT || predicate == UW_SLE;
  if (!less && predicate != UW_SGT && predicate != UW_SGE)
    return false;
  /* Where left has to be less, the thread with the largest left side and the least right side is nearest to failing. */
  int direction = less != c->negated ? RISES : FALLS, left[UW_DIMS] = {0}, right[UW_DIMS] = {0};
  if (!find_slopes(bounds, uw_operand(compare, 0), direction, left) || !find_slopes(bounds, uw_operand(compare, 1), -direction, right))
    return false;
  if (holds) {
    uw_builder b = uw_at(bounds->loop);
    MlirValue ends[] = {extreme(bounds, uw_operand(compare, 0), left), extreme(bounds, uw_operand(compare, 1), right)};
    *holds = uw_compare(&b, predicate, ends[0], ends[1]);
    if (c->negated)
      *holds = uw_binary(&b, "arith.xori", *holds, uw_const_int(&b, 1, 1));
  }
  return true;
}

bool uw_extremes(uw_bounds *bounds, MlirValue value, MlirValue ends[2]) {
  static const int directions[] = {FALLS, RISES};
  for (size_t end = 0; end < 2; end++) {
    int slopes[UW_DIMS] = {0};
    if (!find_slopes(bounds, value, directions[end], slopes))
      return false;
    if (ends)
      ends[end] = extreme(bounds, value, slopes);
  }
  return true;
}

uw_bounds uw_bounds_of(uw_arena *arena, MlirOperation loop) {
  return (uw_bounds){.arena = arena, .loop = loop, .dims = (size_t)mlirBlockGetNumArguments(uw_block(loop, 0))};
}
