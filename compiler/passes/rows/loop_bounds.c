/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Comparisons as bounds of a thread loop: see loop_bounds.h. */
#include "loop_bounds.h"

#include <string.h>

#include "../../analysis/thresholds.h"
#include "../../ir/parallel.h"
#include "../../transform/thread_loop.h"
#include "../launch_question.h"
#include "wide.h"

typedef enum relation { LT, LE, GT, GE, EQ } relation;

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

enum { MOST_EACH = 1 << 16 }; /* bound: of a constant, so that sums stay in 32 bits */

/* Does the end of a loop come from the value, as it is or through what later passes made of it? */
static bool comes_from(MlirValue end, MlirValue value, int depth) {
  MlirOperation op = uw_def(end);
  if (uw_same(end, value))
    return true;
  if (uw_null(op) || depth == 0)
    return false;
  bool passes_on = uw_kind(op) == UW_OP_ARITH_INDEX_CAST || uw_kind(op) == UW_OP_ARITH_INDEX_CASTUI ||
                   uw_kind(op) == UW_OP_ARITH_MULI || uw_string_is(uw_name(op), "arith.minsi") ||
                   uw_string_is(uw_name(op), "arith.minui") || uw_string_is(uw_name(op), "arith.maxsi");
  for (size_t i = 0; passes_on && i < uw_operand_count(op); i++)
    if (comes_from(uw_operand(op, i), value, depth - 1))
      return true;
  return false;
}

/* The size of the block or of the grid, in one dimension: what one of the loops around runs to. */
static bool is_extent(MlirOperation loop, MlirValue value) {
  enum { DEPTH = 5 };
  for (MlirOperation op = loop; !uw_null(op); op = uw_parent(op)) {
    size_t dims = uw_kind(op) == UW_OP_SCF_FORALL ? uw_dims(op) : 0;
    for (size_t d = 0; d < dims; d++)
      if (comes_from(uw_upper_of(op, d), value, DEPTH))
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
    return depth > 0 && is_offset(loop, uw_operand(op, 0), depth - 1) && uw_const_value(uw_operand(op, 1), &number) &&
           number >= 0 && number <= 16;
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

/* --- from a comparison's expression to the index in it ------------------------------------------------------------ */

bool uw_is_outside(uw_bounds *bounds, MlirValue value) {
  return uw_computable_outside(bounds->arena, value, bounds->loop, NULL);
}

bool uw_is_plain_product(MlirOperation op, int64_t factor, bool is_signed) {
  return factor <= UW_MOST_PLAIN_FACTOR || mlirTypeIsAIndex(mlirValueGetType(uw_result(op, 0))) ||
         uw_no_wrap(op, is_signed);
}

bool uw_is_of_any_size(MlirOperation op, bool is_signed) {
  return mlirTypeIsAIndex(mlirValueGetType(uw_result(op, 0))) || uw_no_wrap(op, is_signed);
}

/* As what is a sum of 32 bits a number of any size? */
typedef enum exactness {
  SAID,    /* as its flags say */
  BELOW,   /* so, with a sign, where it is asked for without one: below zero it counts as a large integer */
  IS_ASKED /* before the loop */
} exactness;

typedef struct step {
  MlirOperation op;
  size_t own;      /* the operand that has the index in it */
  int64_t factor;  /* of a product; 0: a sum or difference with this: */
  MlirValue other; /* from outside of the loop */
  bool is_signed, counts_up;
  bool
      ends; /* what it gives is compared, or extended to more bits: a stretch of sums ends (or, from outside, begins) */
  bool extended; /* what it gives, or what is made of that, is extended */
} step;

enum { MOST_STEPS = 12 };

typedef struct path {
  size_t dim, count;
  step at[MOST_STEPS]; /* the outermost first; casts are left out */
  bool is_signed;      /* the comparison */
  unsigned width;      /* of what is compared */
  bool bare;           /* it is never below zero */
  MlirValue is_small;  /* what it is compared with is no more than 2^31 */
} path;

static bool is_narrow(const step *s) { return uw_int_width(uw_result(s->op, 0)) == 32; }

static bool is_subtraction(const step *s) { return uw_kind(s->op) == UW_OP_ARITH_SUBI; }

/* Adds a sum, difference or product to the path. */
static bool add_step(uw_bounds *bounds, path *p, MlirOperation op, bool is_signed, bool ends, bool extended) {
  step s = {.op = op, .is_signed = is_signed, .ends = ends, .extended = extended};
  int64_t number;
  if (p->count == MOST_STEPS)
    return false;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI: {
    s.own = uw_is_outside(bounds, uw_operand(op, 0)) ? 1 : 0;
    s.other = uw_operand(op, 1 - s.own);
    bool is_number = uw_const_value(s.other, &number);
    if (!uw_is_outside(bounds, s.other) ||
        (extended && !is_signed && !uw_no_wrap(op, false) && (is_subtraction(&s) || (is_number && number < 0))))
      return false;
    bool small = is_number && number >= 0 && number <= MOST_EACH;
    s.counts_up = !is_subtraction(&s) && (small || uw_is_block_offset(bounds->loop, s.other));
    break;
  }
  case UW_OP_ARITH_MULI:
    if (!uw_const_value(uw_operand(op, 1), &s.factor) || !uw_is_plain_product(op, s.factor, is_signed))
      return false;
    break;
  case UW_OP_ARITH_SHLI:
    if (!uw_const_value(uw_operand(op, 1), &number) || number < 0 || number > UW_MOST_SHIFT)
      return false;
    s.factor = (int64_t)1 << number;
    if (!uw_is_plain_product(op, s.factor, is_signed))
      return false;
    break;
  default: return false;
  }
  if (!s.other.ptr && s.factor <= 0)
    return false;
  p->at[p->count++] = s;
  return true;
}

/* Of equality the sign does not matter: it has the one for which there are flags. */
static bool has_flags_unsigned(MlirValue expression) {
  MlirOperation op = uw_def(expression);
  return !uw_null(op) && uw_no_wrap(op, false) && !uw_no_wrap(op, true) && uw_int_width(expression) == 32;
}

static bool find_path(uw_bounds *bounds, MlirValue expression, bool is_signed, path *p) {
  MlirBlock body = uw_block(bounds->loop, 0);
  *p = (path){.is_signed = is_signed, .width = uw_int_width(expression)};
  bool ends = true, extended = false;
  for (;;) {
    for (p->dim = 0; p->dim < bounds->dims; p->dim++)
      if (uw_same(expression, mlirBlockGetArgument(body, (intptr_t)p->dim)))
        return true;
    MlirOperation op = uw_def(expression);
    switch (uw_kind(op)) {
    case UW_OP_ARITH_EXTSI:
    case UW_OP_ARITH_EXTUI:
    case UW_OP_ARITH_INDEX_CAST:
    case UW_OP_ARITH_INDEX_CASTUI: {
      if (uw_int_width(expression) < 32)
        return false;
      expression = uw_operand(op, 0);
      if (mlirTypeIsAIndex(mlirValueGetType(expression))) /* the thread's own, which is small */
        continue;
      if (uw_int_width(expression) < uw_int_width(uw_result(op, 0))) {
        is_signed = uw_kind(op) == UW_OP_ARITH_EXTSI || uw_kind(op) == UW_OP_ARITH_INDEX_CAST;
        extended = ends = true;
      }
      continue;
    }
    default:
      if (!add_step(bounds, p, op, is_signed, ends, extended))
        return false;
      ends = false;
      expression = uw_operand(op, p->at[p->count - 1].own);
    }
  }
}

/* Have all sums from step `from` to the end of its stretch the flag? */
static bool is_said(const path *p, size_t from, bool is_signed) {
  for (size_t i = from; i < p->count && (i == from || !p->at[i].ends); i++)
    if (!uw_is_of_any_size(p->at[i].op, is_signed))
      return false;
  return true;
}

/* Of the stretch that begins with the step. One of more than 32 bits is taken as it is; see ask. */
static exactness exactness_of(const path *p, size_t from) {
  const step *s = &p->at[from];
  if (!is_narrow(s) || is_said(p, from, s->is_signed))
    return SAID;
  return !s->extended && !s->is_signed && is_said(p, from, true) ? BELOW : IS_ASKED;
}

/* Finds out whether the whole may be below zero. False for what is not to be told apart. */
static bool settle(path *p) {
  bool added = false;
  exactness now = SAID;
  p->bare = true;
  for (size_t i = 0; i < p->count; i++) {
    const step *s = &p->at[i];
    now = s->ends ? exactness_of(p, i) : now;
    if (s->factor)
      continue;
    bool below_extension = s->extended && is_narrow(s) && !s->is_signed;
    bool natural = s->counts_up || (is_narrow(s) && now == SAID && !s->is_signed);
    if (below_extension && added && !natural) /* which of the two sums is below zero? */
      return false;
    added = added || !below_extension;
    p->bare = p->bare && natural;
  }
  return true;
}

/* An amount that is added to an index where the sum counts unsigned. Both (unsigned)(x - 3) < n and x + 3000000000u
 * < 4000000000u are meant. The first wraps around, and so the amount has its sign: where it is near 0, or where only
 * sums that wrap around are less than a small integer. */
static MlirValue amount_unsigned(uw_bounds *bounds, MlirValue amount, MlirValue right, path *p) {
  int64_t number;
  const int64_t near = -((int64_t)1 << 20);
  uw_builder b = uw_at(bounds->loop);
  if (uw_const_value(amount, &number) && number >= near)
    return uw_const_index(&b, number);
  if (uw_is_block_offset(bounds->loop, amount))
    return outside(bounds, amount, false);
  if (!p->is_small.ptr)
    p->is_small = uw_compare(&b, UW_ULE, right, uw_const_index(&b, (int64_t)1 << 31));
  MlirValue with_sign = outside(bounds, amount, true), without = outside(bounds, amount, false);
  b = uw_at(bounds->loop);
  MlirValue is_near = uw_compare(&b, UW_SGE, with_sign, uw_const_index(&b, near));
  return uw_select(&b, uw_binary(&b, "arith.ori", p->is_small, is_near), with_sign, without);
}

static MlirValue amount_of(uw_bounds *bounds, const step *s, exactness exactness, MlirValue right, path *p) {
  if (exactness == BELOW || s->is_signed)
    return outside(bounds, s->other, true);
  if (is_narrow(s) && exactness == SAID)
    return outside(bounds, s->other, false);
  return amount_unsigned(bounds, s->other, right, p);
}

/* --- questions before the loop ------------------------------------------------------------------------------------ */

static void require(uw_bounds *bounds, uw_builder *b, MlirValue condition) {
  int64_t known;
  if (!uw_const_value(condition, &known) || !(known & 1))
    bounds->asked = bounds->asked.ptr ? uw_binary(b, "arith.andi", bounds->asked, condition) : condition;
}

static void require_least(uw_bounds *bounds, uw_builder *b, MlirValue value, int64_t least) {
  int64_t known;
  if (!uw_const_value(value, &known) || known < least)
    require(bounds, b, uw_compare(b, UW_SGE, value, uw_const_index(b, least)));
}

static void require_most(uw_bounds *bounds, uw_builder *b, MlirValue value, int64_t most) {
  int64_t known;
  if (!uw_const_value(value, &known) || known > most)
    require(bounds, b, uw_compare(b, UW_SLE, value, uw_const_index(b, most)));
}

/* Where what is below zero counts as a large integer, the other side has to be less than all of those. It is asked at
 * the launch, if that knows it. */
static void require_limit(uw_bounds *bounds, MlirValue limit, MlirValue right, int64_t most) {
  uw_question question;
  uw_between range;
  int64_t known;
  uw_builder b = uw_at(bounds->loop);
  if (uw_const_value(right, &known)) {
    if (known < 0 || known > most)
      require(bounds, &b, uw_const_int(&b, 1, 0));
    return;
  }
  if (uw_int_width(limit) == 32 && uw_question_of(bounds->arena, bounds->loop, &question) &&
      uw_find_between(&question, limit, false, &range) &&
      uw_add_condition(&question, uw_compare(&question.b, UW_ULE, range.high, uw_const_index(&question.b, most))))
    uw_ask_question(&question);
  else
    require_most(bounds, &b, right, most);
}

static MlirValue folded(uw_builder *b, const char *name, MlirValue left, MlirValue right) {
  int64_t first, second;
  bool sum = strcmp(name, "arith.addi") == 0, difference = strcmp(name, "arith.subi") == 0;
  if (!uw_const_value(left, &first) || !uw_const_value(right, &second))
    return uw_binary(b, name, left, right);
  return uw_const_index(b, sum ? first + second : difference ? first - second : first * second);
}

/* Is it 64 bits of the program's own that could be anything? */
static bool is_far(const step *s) {
  int64_t number;
  if (!s->other.ptr || s->counts_up || !mlirTypeIsAInteger(mlirValueGetType(s->other)) || uw_int_width(s->other) < 64)
    return false;
  uw_kind_t kind = uw_kind(uw_def(s->other));
  return !uw_const_value(s->other, &number) && kind != UW_OP_ARITH_EXTSI && kind != UW_OP_ARITH_EXTUI;
}

/* Is each sum that is not said to be one of integers of any size such a sum for the loop's first and last thread, and
 * so for all between? */
static void ask(uw_bounds *bounds, path *p, const MlirValue amounts[], MlirValue limit, MlirValue right, relation r) {
  const int64_t half = INT64_C(1) << 31, all = INT64_C(1) << 32, far = INT64_C(1) << 40;
  bool any = false;
  for (size_t i = 0; i < p->count; i++)
    any = any || is_far(&p->at[i]) || (p->at[i].ends && exactness_of(p, i) == IS_ASKED);
  if (p->count && exactness_of(p, 0) == BELOW)
    require_limit(bounds, limit, right, half);
  else if (p->width == 64 && !p->is_signed && !p->bare)
    require_limit(bounds, limit, right, far);
  if (!any)
    return;
  uw_builder b = uw_at(bounds->loop);
  MlirValue low = uw_lower_of(bounds->loop, p->dim), one = uw_const_index(&b, 1);
  MlirValue high = folded(&b, "arith.subi", uw_upper_of(bounds->loop, p->dim), one);
  for (size_t i = p->count; i-- > 0;) {
    const step *s = &p->at[i];
    if (s->factor) {
      MlirValue factor = uw_const_index(&b, s->factor);
      low = folded(&b, "arith.muli", low, factor);
      high = folded(&b, "arith.muli", high, factor);
    } else if (is_subtraction(s) && s->own == 1) {
      MlirValue least = folded(&b, "arith.subi", amounts[i], high);
      high = folded(&b, "arith.subi", amounts[i], low);
      low = least;
    } else {
      const char *name = is_subtraction(s) ? "arith.subi" : "arith.addi";
      low = folded(&b, name, low, amounts[i]);
      high = folded(&b, name, high, amounts[i]);
    }
    if (is_far(s)) {
      require_least(bounds, &b, amounts[i], -far);
      require_most(bounds, &b, amounts[i], far);
    }
    if (!s->ends || exactness_of(p, i) != IS_ASKED)
      continue;
    require_most(bounds, &b, high, s->is_signed ? half - 1 : all - 1);
    if (s->is_signed)
      require_least(bounds, &b, low, -half);
    else if (s->extended || (r != LT && r != LE) || p->bare)
      require_least(bounds, &b, low, 0);
    else /* what is below zero is more than the other side */
      require(bounds, &b, uw_compare(&b, UW_SLT, folded(&b, "arith.subi", right, uw_const_index(&b, all)), low));
  }
}

/* The smaller or the larger of two bounds: a constant where both are, as later passes ask for. */
static MlirValue tighter(uw_builder *b, MlirValue old, MlirValue bound, bool smaller) {
  int64_t known, other;
  if (uw_const_value(old, &known) && uw_const_value(bound, &other))
    return (known < other) == smaller ? old : bound;
  return uw_binary(b, smaller ? "arith.minsi" : "arith.maxsi", old, bound);
}

/* Makes `expression relation right` a bound of a dimension. The amounts are made once. */
static void solve(uw_bounds *bounds, path *p, relation r, MlirValue right, MlirValue amounts[]) {
  exactness now = SAID;
  for (size_t i = 0; i < p->count; i++) {
    step *s = &p->at[i];
    uw_builder b = uw_at(bounds->loop);
    now = s->ends ? exactness_of(p, i) : now;
    if (s->factor) {
      right = uw_binary(&b, r == LT || r == GE ? "arith.ceildivsi" : "arith.floordivsi", right,
                        uw_const_index(&b, s->factor));
      continue;
    }
    if (!amounts[i].ptr)
      amounts[i] = amount_of(bounds, s, now, right, p);
    b = uw_at(bounds->loop);
    if (!is_subtraction(s))
      right = uw_binary(&b, "arith.subi", right, amounts[i]);
    else if (s->own == 0)
      right = uw_binary(&b, "arith.addi", right, amounts[i]);
    else
      right = uw_binary(&b, "arith.subi", amounts[i], right);
    if (is_subtraction(s) && s->own == 1)
      r = flipped(r);
  }
  size_t d = p->dim;
  uw_builder b = uw_at(bounds->loop);
  MlirValue after = r == LT || r == GE ? right : uw_binary(&b, "arith.addi", right, uw_const_index(&b, 1));
  if (r == LT || r == LE || r == EQ) {
    MlirValue end = r == LT ? right : after,
              old = bounds->upper[d].ptr ? bounds->upper[d] : uw_upper_of(bounds->loop, d);
    bounds->upper[d] = tighter(&b, old, end, true);
  }
  if (r == GT || r == GE || r == EQ) {
    MlirValue start = r == GT ? after : right,
              old = bounds->lower[d].ptr ? bounds->lower[d] : uw_lower_of(bounds->loop, d);
    bounds->lower[d] = tighter(&b, old, start, false);
  }
}

bool uw_bound_by(uw_bounds *bounds, const uw_conjunct *c, bool apply) {
  MlirOperation compare = uw_def(c->value);
  if (uw_kind(compare) != UW_OP_ARITH_CMPI)
    return false;
  static const struct {
    relation is, is_not;
    bool is_signed;
  } meaning[] = {[UW_EQ] = {EQ, EQ, true},   [UW_NE] = {EQ, EQ, true},   [UW_SLT] = {LT, GE, true},
                 [UW_SLE] = {LE, GT, true},  [UW_SGT] = {GT, LE, true},  [UW_SGE] = {GE, LT, true},
                 [UW_ULT] = {LT, GE, false}, [UW_ULE] = {LE, GT, false}, [UW_UGT] = {GT, LE, false},
                 [UW_UGE] = {GE, LT, false}};
  int64_t predicate = uw_get_int_attr(compare, "predicate", UW_EQ);
  relation r = c->negated ? meaning[predicate].is_not : meaning[predicate].is;
  size_t own = uw_is_outside(bounds, uw_operand(compare, 0)) ? 1 : 0;
  MlirValue expression = uw_operand(compare, own), other = uw_operand(compare, 1 - own);
  if (!uw_is_outside(bounds, other))
    return false;
  if (own == 1)
    r = flipped(r);
  bool equality = predicate == UW_EQ || predicate == UW_NE;
  if (equality && (predicate == UW_NE) != c->negated) { /* not equal to 0 is above it */
    int64_t number;
    if (!uw_const_value(other, &number) || number != 0)
      return false;
    r = GT;
  }
  path p;
  bool is_signed = equality ? !has_flags_unsigned(expression) : meaning[predicate].is_signed;
  if (!find_path(bounds, expression, is_signed, &p) || !settle(&p))
    return false;
  for (size_t i = 0; i < p.count; i++)
    if (p.at[i].factor && r == EQ)
      return false;
  /* Below zero an unsigned integer, and one that is not 0, would be a large one. */
  bool may_be_below = !p.bare && (!is_signed || equality) && r != EQ;
  if (may_be_below && (r == GT || r == GE))
    return false;
  if (apply) {
    MlirValue amounts[MOST_STEPS] = {{NULL}}, right = outside(bounds, other, is_signed);
    uw_builder b = uw_at(bounds->loop);
    solve(bounds, &p, r, right, amounts);
    if (may_be_below) {
      b = uw_at(bounds->loop);
      solve(bounds, &p, GE, uw_const_index(&b, 0), amounts);
    }
    ask(bounds, &p, amounts, other, right, r);
  }
  return true;
}

uw_bounds uw_bounds_of(uw_arena *arena, MlirOperation loop) {
  return (uw_bounds){.arena = arena, .loop = loop, .dims = uw_dims(loop)};
}
